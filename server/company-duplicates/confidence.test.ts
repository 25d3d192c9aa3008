import { describe, expect, it } from 'vitest'
import { compareCompanyNames, spellingsOf, wordsOf, type NameForm } from './company-name.ts'
import { likenessOf } from './confidence.ts'
import { registrableName } from './domain-name.ts'
import { keyTextsOf, matchValuesOf, type MatchedColumns } from './match-values.ts'

const form = (folded: string): NameForm[] => [{ words: wordsOf((spellingsOf(folded)[0] ?? '').trim().split(' ')), spelling: 'typed' }]
const company = (folded: string, columns: Partial<MatchedColumns> = {}) =>
  matchValuesOf({ domains: [], phone: null, address: null, vat_id: null, ...columns }, form(folded))
const address = (city: string, line1 = 'Mossweg 1', postalCode: string | null = null) => ({
  line1,
  line2: null,
  city,
  region: null,
  postalCode,
  country: null,
})
const likeness = (a: ReturnType<typeof company>, b: ReturnType<typeof company>, count = 2) => likenessOf(a, b, () => count)

describe('compareCompanyNames', () => {
  it.each([
    ['moss gmbh', 'moss', 'same'],
    ['moss gmbh co kg', 'moss ag', 'same'],
    ['moss s a', 'moss sa', 'same'],
    ['north wind ltd', 'northwind', 'same'],
    ['traders northwind', 'northwind traders', 'same'],
    ['moss sp z o o', 'moss', 'same'],
    ['northwind tradres', 'northwind traders', 'similar'],
    ['nortwind', 'north wind', 'similar'],
    ['moos', 'moss', 'different'],
    ['northwind 1', 'northwind 2', 'branch'],
    ['moss', 'moss berlin', 'part'],
    ['moss', 'moss systems', 'described'],
    ['moss berlin', 'moss hamburg', 'branch'],
    ['hotel sonne', 'hotel mond', 'different'],
    ['hotel sonne', 'restaurant sonne', 'branch'],
    ['hotel', 'hotel gmbh', 'part'],
    ['hotel', 'hotel sonne', 'different'],
    ['gmbh', 'gmbh', 'same'],
  ])('%s and %s: %s', (a, b, relation) => {
    expect([compareCompanyNames(form(a), form(b)), compareCompanyNames(form(b), form(a))]).toEqual([relation, relation])
  })
})

it.each([
  ['moss.example', 'moss'],
  ['shop.moss.co.uk', 'moss'],
  ['moss.com.br', 'moss'],
  ['com.de', 'com'],
  ['moss.wordpress.com', 'moss'],
  ['wordpress.com', undefined],
  ['de.linkedin.com', undefined],
  ['gmail.com', undefined],
  ['hotel.example', undefined],
  ['mo.example', undefined],
])('registrableName(%s) is %s', (domain, name) => {
  expect(registrableName(domain)).toBe(name)
})

describe('likenessOf', () => {
  it.each<[string, Partial<MatchedColumns>, Partial<MatchedColumns>]>([
    ['nothing else', {}, {}],
    ['different cities', { address: address('Berlin') }, { address: address('Hamburg') }],
    ['different domains', { domains: ['moss.example'] }, { domains: ['m-example.test'] }],
    ['one domain', { domains: ['moss.example'], address: address('Berlin') }, { address: address('Hamburg') }],
  ])('offers the same name with %s', (_, a, b) => {
    expect(likeness(company('moss', a), company('moss gmbh', b))).toMatchObject({ reasons: ['name'] })
    expect(likeness(company('moss', a), company('moss gmbh', b)).confidence).toBeGreaterThanOrEqual(0.7)
  })

  it.each<[string, Partial<MatchedColumns>, Partial<MatchedColumns>]>([
    ['VAT ids', { vat_id: 'DE123456789' }, { vat_id: 'DE987654321' }],
    ['VAT ids at one address', { vat_id: 'DE123456789', phone: '+4930123456' }, { vat_id: 'DE987654321', phone: '+4930123456' }],
    [
      'cities and domains',
      { address: address('Berlin'), domains: ['moss.example'] },
      { address: address('Hamburg'), domains: ['m-example.test'] },
    ],
  ])('does not offer the same name with different %s', (_, a, b) => {
    expect(likeness(company('moss', a), company('moss gmbh', b)).confidence).toBeLessThan(0.7)
  })

  it('keeps branches below the pairs that are offered, whatever they share', () => {
    const shared = { vat_id: 'DE123456789', phone: '+4930123456', domains: ['moss.example'], address: address('Berlin') }
    expect(likeness(company('moss berlin', shared), company('moss hamburg', shared)).confidence).toBe(0.65)
  })

  it('takes a further word for a branch if the cities differ', () => {
    const [a, b] = [company('moss', { phone: '+4930123456' }), company('moss hamburg', { phone: '+4930123456' })]
    expect(likeness(a, b)).toEqual({ confidence: 0.72, reasons: ['similar_name', 'phone'] })
    const [inBerlin, inHamburg] = [
      { ...a, city: 'berlin' },
      { ...b, city: 'hamburg' },
    ]
    expect(likeness(inBerlin, inHamburg)).toEqual({ confidence: 0.51, reasons: ['phone'] })
  })

  it('takes a number of many companies for no reason if their names differ', () => {
    const [a, b] = [company('moss', { phone: '+4930123456' }), company('byron', { phone: '+4930123456' })]
    expect(likeness(a, b, 2)).toEqual({ confidence: 0.4, reasons: ['phone'] })
    expect(likeness(a, b, 6)).toEqual({ confidence: 0, reasons: [] })
    expect(likeness(company('moss', { phone: '+4930123456' }), a, 6)).toEqual({ confidence: 0.97, reasons: ['name', 'phone'] })
  })

  it('offers another name with the same VAT id', () => {
    const [a, b] = [company('moss', { vat_id: 'DE123456789' }), company('byron', { vat_id: 'DE123456789' })]
    expect(likeness(a, b)).toEqual({ confidence: 0.75, reasons: ['vat_id'] })
  })
})

describe('keyTextsOf', () => {
  it.each([
    ['northwind traders', 'northwind tradres'],
    ['northwind traders', 'nortwind traders'],
    ['example', 'exapmle'],
    ['examples', 'exampless'],
    ['lindqvist', 'lindqvsit'],
  ])('gives %s and %s a common key', (a, b) => {
    const keys = new Set(keyTextsOf(company(a)))
    expect(keyTextsOf(company(b)).filter((key) => keys.has(key))).not.toEqual([])
  })

  it('gives a name of common words no key', () => {
    expect(keyTextsOf(company('hotel restaurant gmbh'))).toEqual([])
  })
})
