import { expect, test } from 'vitest'
import { columnSort, localRows, type LocalFilter } from './local-rows.ts'

const rows = [
  { name: 'Émile Zola', used: 3 },
  { name: 'ada', used: null },
  { name: 'Zoë Emil', used: 12 },
]
const found = (filter: LocalFilter): string[] =>
  localRows(rows, filter, { textOf: ({ name }) => name, orders: { name: ({ name }) => name, used: ({ used }) => used } }).map(
    ({ name }) => name,
  )

test('finds all words in any case and without accents', () => {
  expect(found({ q: 'emil zo' })).toEqual(['Émile Zola', 'Zoë Emil'])
  expect(found({ q: 'ADA' })).toEqual(['ada'])
  expect(found({ q: 'ada emil' })).toEqual([])
})

test('sorts by a column, rows without a value last, and ignores unknown columns', () => {
  expect(found({ sort: 'name' })).toEqual(['ada', 'Émile Zola', 'Zoë Emil'])
  expect(found({ sort: 'used' })).toEqual(['Émile Zola', 'Zoë Emil', 'ada'])
  expect(found({ sort: '-used' })).toEqual(['Zoë Emil', 'Émile Zola', 'ada'])
  expect(found({ sort: 'other' })).toEqual(rows.map(({ name }) => name))
})

test('a click sorts, and the next one reverses the order', () => {
  const sorted: string[] = []
  const click = (sort: string | undefined, first?: 'descending'): void =>
    columnSort('used', sort, (next) => sorted.push(next), first).onSort()
  click(undefined)
  click('used')
  click('-used')
  click('name', 'descending')
  click('-used', 'descending')
  expect(sorted).toEqual(['used', '-used', 'used', '-used', 'used'])
})
