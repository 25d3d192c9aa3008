import { expect, test } from 'vitest'
import { optionalId, optionalSearch } from './search-params.ts'

const uuid = '0192c3d4-0000-7000-8000-000000000001'

test.each([
  [`ctc_${uuid}`, [], `ctc_${uuid}`],
  [` kb_${uuid} `, ['kb'], `kb_${uuid}`],
  [`ctc_${uuid}`, ['usr'], undefined],
  [uuid, [], undefined],
  ['ctc_1', [], undefined],
  [7, [], undefined],
])('reads the id %j of the kinds %j as %s', (value, kinds, id) => expect(optionalId(value, ...kinds)).toBe(id))

test('cuts a search to the length that the API takes', () => {
  expect(optionalSearch('x'.repeat(300))).toHaveLength(200)
  expect(optionalSearch(12)).toBe('12')
  expect(optionalSearch('')).toBeUndefined()
})
