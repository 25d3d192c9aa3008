import type { FigureFormats } from './figures.ts'
import type { Visit } from './visit.ts'
import { amountFormat, dateFormat, expiryFormat, momentFormat, numberFormat, percentFormat } from '../words/format.ts'
import { localeOf, wordsOf, type ProposalWords } from '../words/words.ts'

/** The labels of a page, and functions that format its values. */
export interface Formats extends Omit<FigureFormats, 'words'> {
  readonly words: ProposalWords
  /** BCP 47 tag of numbers and dates. */
  readonly locale: string
  readonly date: (moment: Date) => string
  readonly expiry: (moment: Date) => string
  readonly moment: (moment: Date) => string
}

/** Returns the formats of amounts. */
export const figureFormats = ({ words, ...formats }: Formats): FigureFormats => ({ ...formats, words: words.document })

/** Combinations of language, currency and time zone that are kept. */
const capacity = 200

/** Returns a function that returns the formats of a page. Keeps them, since creating them takes longer than using them. */
export function createFormats(): (visit: Pick<Visit, 'recipient' | 'seller' | 'proposal'>) => Formats {
  const kept = new Map<string, Formats>()
  return ({ recipient, seller, proposal: { currency } }) => {
    const language = recipient.language ?? seller.language
    const key = JSON.stringify([language, currency, seller.time_zone])
    const known = kept.get(key)
    if (known !== undefined) return known
    if (kept.size >= capacity) kept.clear()
    const locale = localeOf(language)
    const formats = {
      locale,
      words: wordsOf(language),
      amount: amountFormat(locale, currency),
      number: numberFormat(locale),
      percent: percentFormat(locale),
      date: dateFormat(locale, seller.time_zone),
      expiry: expiryFormat(locale, seller.time_zone),
      moment: momentFormat(locale, seller.time_zone),
    }
    kept.set(key, formats)
    return formats
  }
}
