import { describe, expect, it } from 'vitest'
import { SearchFilter } from './search-filter.ts'

const faultsOf = (filter: unknown): string[] => SearchFilter.safeParse(filter).error?.issues.map(({ path }) => path.join('.')) ?? []
const nested = (depth: number): unknown => (depth === 1 ? { key: 'a', eq: 1 } : { not: nested(depth - 1) })

describe('a filter', () => {
  it.each([
    { key: 'a', eq: 'x' },
    { key: 'a', eq: false },
    { key: 'a', in: ['x', 1, true] },
    { key: 'a', gte: 1, lt: 2.5 },
    { key: 'a', gt: '2026-05-25', lte: '2028-02-29T20:14:00.5+02:00' },
    { key: 'a', exists: false },
    { and: [{ or: [{ key: 'a', eq: 1 }] }, { not: { key: 'b', exists: true } }] },
    nested(5),
    { or: Array.from({ length: 50 }, () => ({ key: 'a', eq: 1 })) },
  ])('can be %j', (filter) => expect(SearchFilter.parse(filter)).toEqual(filter))

  it.each<[fields: string[], filter: unknown]>([
    [[''], 'a'],
    [[''], null],
    [['key'], {}],
    [['key'], { key: 'a' }],
    [['key', 'eq'], { eq: 1 }],
    [['eq'], { or: [{ key: 'a', eq: 1 }], eq: 1 }],
    [['not'], { and: [{ key: 'a', eq: 1 }], not: { key: 'a', eq: 1 } }],
    [['key'], { or: [{ key: 'a', eq: 1 }], key: 'a', eq: 1 }],
    [['and'], { and: [] }],
    [['and'], { and: { key: 'a', eq: 1 } }],
    [
      ['and.1.in'],
      {
        and: [
          { key: 'a', eq: 1 },
          { key: 'b', in: [] },
        ],
      },
    ],
    [['in.1'], { key: 'a', in: ['x', null] }],
    [['not.eq'], { not: { key: 'a', eq: null } }],
    [['gt'], { key: 'a', gt: 'soon' }],
    [['gt'], { key: 'a', gt: '2026-02-30' }],
    [['lt'], { key: 'a', lt: '2026-05-25T20:14:00' }],
    [['key'], { key: 'x\u0000', eq: 1 }],
    [['eq'], { key: 'a', eq: '\ud800' }],
    [['exists'], { key: 'a', exists: 'yes' }],
    [['not.not.not.not.not'], nested(6)],
    [[''], { or: Array.from({ length: 2 }, () => ({ and: Array.from({ length: 26 }, () => ({ key: 'a', eq: 1 })) })) }],
    [['or'], { or: Array.from({ length: 51 }, () => 1) }],
  ])('is at fault in %j', (fields, filter) => expect(faultsOf(filter)).toEqual(fields))

  it('names an unknown field where it stands', () => {
    const [issue] = SearchFilter.safeParse({ and: [{ key: 'a', equals: 1 }] }).error?.issues ?? []
    expect(issue).toMatchObject({ code: 'unrecognized_keys', path: ['and', 0], keys: ['equals'] })
  })

  it('is refused however deep it is', () => expect(faultsOf(nested(5000))).toHaveLength(1))
})
