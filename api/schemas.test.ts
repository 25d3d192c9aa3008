import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { api, type Route } from './index.ts'
import { amountInput, countryInput, currencyInput, idInput, limit, queryTime, text, timestampInput } from './schemas.ts'

const uuid = '0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'

describe('idInput', () => {
  it.each([uuid, `ctc_${uuid}`, uuid.toUpperCase(), `ctc_${uuid.toUpperCase()}`])('reads %s', (id) =>
    expect(idInput('ctc').parse(id)).toBe(uuid),
  )
  it.each([
    '',
    'ctc_',
    `prp_${uuid}`,
    `CTC_${uuid}`,
    `ctc-${uuid}`,
    ` ${uuid}`,
    `${uuid}\n`,
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    `${uuid}0`,
  ])('refuses %j', (id) => expect(idInput('ctc').safeParse(id).success).toBe(false))
})

describe('timestampInput', () => {
  it.each(['1900-01-01T00:00:00Z', '2026-11-30T12:00:00.5+14:00', '9999-12-31T23:59:59.999Z'])('reads %s', (time) =>
    expect(timestampInput.parse(time)).toBe(time),
  )
  // The fourth and fifth are after 9999 in UTC.
  it.each([
    '0000-01-01T00:00:00Z',
    '0024-05-01T10:00:00Z',
    '1900-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-05:00',
    '9999-12-31T23:59:59.9-00:01',
    '2026-11-30',
  ])('refuses %s', (time) => expect(timestampInput.safeParse(time).success).toBe(false))
})

describe('text', () => {
  it.each([
    ['  a  ', 'a'],
    ['\u00a0a\u3000', 'a'],
    ['😀', '😀'],
    ['a\nb', 'a\nb'],
  ])('%j is %j', (given, kept) => expect(text(1, 5).parse(given)).toBe(kept))
  it.each(['', '   ', 'a\u0000b', '\ud83d', '\ude00\ud83d', 'abcdef', 5, null, {}])('refuses %j', (value) =>
    expect(text(1, 5).safeParse(value).success).toBe(false),
  )
})

describe('amountInput', () => {
  it.each(['0', '1200.00', '1.5', '999999999999.99', '007'])('takes %s', (amount) => expect(amountInput.parse(amount)).toBe(amount))
  it.each(['', '.5', '1.', '-1', '+1', '1,00', '1.001', '1e3', '1000000000000', ' 1', '1\n', '١', 'Infinity', 12])('refuses %j', (amount) =>
    expect(amountInput.safeParse(amount).success).toBe(false),
  )
})

describe('currencyInput', () => {
  it.each([
    ['EUR', 'EUR'],
    ['usd', 'USD'],
    ['Jpy', 'JPY'],
  ])('%s is %s', (given, kept) => expect(currencyInput.parse(given)).toBe(kept))
  it.each(['', 'EU', 'EURO', 'ZZZ', '€', ' EUR', 'ıSK'])('refuses %j', (code) => expect(currencyInput.safeParse(code).success).toBe(false))
})

describe('countryInput', () => {
  it('takes either case', () => expect(countryInput.parse('it')).toBe('IT'))
  it('refuses a dotless i', () => expect(countryInput.safeParse('ıt').success).toBe(false))
})

describe('limit', () => {
  it('is 50 when absent', () => expect(limit.parse(undefined)).toBe(50))
  it.each(['1', '100'])('takes %s', (value) => expect(limit.parse(value)).toBe(Number(value)))
  it.each(['0', '101', '-1', '1.5', 'x', '', '1 2'])('refuses %j', (value) => expect(limit.safeParse(value).success).toBe(false))
})

describe('queryTime', () => {
  it('accepts an offset whose plus sign arrived as a space', () => {
    expect(queryTime.parse('2026-05-25T20:14:00 02:00')).toBe('2026-05-25T20:14:00+02:00')
  })
  it.each(['2026-05-25', 'now', '2026-02-30T00:00:00Z', '2026-05-25T20:14:00'])('refuses %s', (value) =>
    expect(queryTime.safeParse(value).success).toBe(false),
  )
})

describe('the route table', () => {
  const routes = Object.entries(api).flatMap(([resource, verbs]) =>
    Object.entries<Route>(verbs).map(([verb, route]): [string, Route] => [`${resource}.${verb}`, route]),
  )

  it('has no two routes with the same method and path', () => {
    const addresses = routes.map(([, route]) => `${route.method} ${route.path.replace(/\{\w+\}/g, '{}')}`)
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  it.each(routes)('%s has the parameters of its path and rejects unknown fields', (_name, route) => {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    expect(route.params instanceof z.ZodObject ? Object.keys(route.params.shape) : []).toEqual(names)
    for (const schema of [route.query, route.body]) {
      const codes = schema?.safeParse({ type: 'url', noSuchField: 1 }).error?.issues.map((issue) => issue.code)
      if (schema !== undefined) expect(codes).toContain('unrecognized_keys')
    }
    expect(route.status === 204).toBe(route.reply === undefined && route.file === undefined && (route.csv ?? route.download) === undefined)
  })
})
