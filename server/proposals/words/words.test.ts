import { describe, expect, it } from 'vitest'
import { amountFormat, dateFormat, expiryFormat, momentFormat, numberFormat, percentFormat } from './format.ts'
import { localeOf, type ProposalWords, wordsOf } from './words.ts'

/** Returns all texts with their paths. Functions are called with a different argument for each parameter. */
function texts(part: unknown, path = ''): [path: string, text: string][] {
  if (typeof part === 'string') return [[path, part]]
  if (typeof part === 'function') return [[path, String(part(...Array.from({ length: part.length }, (_, n) => `⟨${n}⟩`)))]]
  return Object.entries(part as object).flatMap(([name, inner]) => texts(inner, `${path}.${name}`))
}

const languages = ['en', 'de', 'fr', 'es'].map((language): [string, ProposalWords] => [language, wordsOf(language)])

describe('labels', () => {
  it.each(languages)('%s: no label is empty, and each contains all of its parameters', (language, words) => {
    expect(words.language).toBe(language)
    expect(texts(words).filter(([, text]) => text.trim() === '' || text !== text.trim())).toEqual([])
    const parameters = (of: ProposalWords) => texts(of).map(([path, text]) => [path, text.match(/⟨\d⟩/g)?.toSorted()])
    expect(parameters(words)).toEqual(parameters(wordsOf('en')))
  })

  it.each([
    ['de', 'Angebot'],
    ['fr', 'devis'],
    ['es', 'presupuesto'],
  ])('%s: one term for a proposal, and no text left in English', (language, term) => {
    const translated = texts(wordsOf(language))
    expect(translated.filter(([, text]) => text.toLowerCase().includes(term.toLowerCase())).length).toBeGreaterThan(20)
    expect(translated.filter(([, text]) => /\b(proposal|the|this|your)\b/i.test(text))).toEqual([])
  })

  it('a number of days agrees with its noun', () => {
    const days = languages.map(([, { page }]) => [page.daysLeft(1), page.daysLeft(2)])
    expect(days).toEqual([
      ['1 day left', '2 days left'],
      ['noch 1 Tag gültig', 'noch 2 Tage gültig'],
      ['1 jour restant', '2 jours restants'],
      ['queda 1 día', 'quedan 2 días'],
    ])
  })

  it.each([
    ['de-AT', 'de', 'de-AT'],
    ['DE', 'de', 'de'],
    ['es-419', 'es', 'es-419'],
    ['ja', 'en', 'en'],
    ['de-!', 'de', 'de'],
    ['toString', 'en', 'en'],
    ['', 'en', 'en'],
    [null, 'en', 'en'],
  ])('%s has the labels of %s and numbers of %s', (tag, language, locale) => {
    expect([wordsOf(tag).language, localeOf(tag)]).toEqual([language, locale])
  })
})

/** Intl separates digits and units with several kinds of spaces. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ')

describe('formats', () => {
  it.each([
    ['en', 'EUR', '999999999999.123456', '€999,999,999,999.123456'],
    ['de', 'EUR', '999999999999.99', '999.999.999.999,99 €'],
    ['fr', 'EUR', '123456789012.1', '123 456 789 012,10 €'],
    ['es', 'EUR', '1260.00', '1260,00 €'],
    ['de', 'JPY', '100.00', '100 ¥'],
    ['en', 'HUF', '1234.50', 'HUF 1,234.50'],
    ['en', 'KWD', '1234.5', 'KWD 1,234.500'],
    ['en', 'USD', '0.000001', '$0.000001'],
    ['en', 'USD', '-5.5', '-$5.50'],
  ])('in %s, %s %s is %s with all digits', (locale, currency, amount, text) => {
    expect(plain(amountFormat(locale, currency)(amount))).toBe(text)
  })

  it('quantities and rates keep their decimals', () => {
    expect(numberFormat('de')('123456789.125')).toBe('123.456.789,125')
    expect(plain(percentFormat('fr')('9.975'))).toBe('9,975 %')
    expect(percentFormat('en')('19')).toBe('19%')
  })

  it.each(['', 'NaN', '1e3', '1,5', ' 1'])('%j is not a decimal', (text) => {
    expect(() => amountFormat('en', 'EUR')(text)).toThrow(RangeError)
  })

  it('a date is the one of the time zone, before and after the clock change', () => {
    const [winter, summer] = [new Date('2026-03-28T23:30:00Z'), new Date('2026-03-29T22:30:00Z')]
    const german = dateFormat('de', 'Europe/Berlin')
    expect([german(winter), german(summer)]).toEqual(['29. März 2026', '30. März 2026'])
    expect(dateFormat('en', 'America/New_York')(winter)).toBe('March 28, 2026')
    expect(plain(momentFormat('de', 'Europe/Berlin')(summer))).toBe('30. März 2026 um 00:30 MESZ')
    expect(plain(momentFormat('fr', 'Europe/Paris')(winter))).toBe('29 mars 2026 à 00:30 UTC+1')
  })

  it('show the time of an expiry that is not the end of a day', () => {
    const expiry = expiryFormat('en', 'Europe/Berlin')
    expect(expiry(new Date('2026-12-20T22:59:59.999Z'))).toBe('December 20, 2026')
    expect(expiry(new Date('2026-12-19T23:00:00Z'))).toBe('December 20, 2026 at 12:00 AM GMT+1')
  })
})
