import { expect, test } from 'vitest'
import { isRow, partsOf } from './text-tables.ts'

test('splits a text into tables and the text around them', () => {
  expect(partsOf('Prices\n\n| Item | Day |\n| --- | --- |\n| Ramp \\| wide | 12 |\n\nAll in euros.\nWith tax.')).toEqual([
    { kind: 'text', text: 'Prices' },
    { kind: 'table', header: ['Item', 'Day'], rows: [['Ramp | wide', '12']] },
    { kind: 'text', text: 'All in euros.\nWith tax.' },
  ])
})

test('returns rows of a table that continues from an earlier text', () => {
  expect(partsOf('| Ramp | 12 |\n| Cart |  |')).toEqual([
    {
      kind: 'table',
      header: [],
      rows: [
        ['Ramp', '12'],
        ['Cart', ''],
      ],
    },
  ])
})

test('leaves text without tables as it is', () => {
  expect(partsOf('a | b\n  indented\n\nc')).toEqual([{ kind: 'text', text: 'a | b\n  indented\n\nc' }])
  expect(partsOf('')).toEqual([])
})

test('recognizes the row that a line contains', () => {
  expect(isRow('| Ramp \\| wide | 12 |', ['Ramp | wide', '12'])).toBe(true)
  expect(isRow('| Ramp | 12 |', ['Ramp', '13'])).toBe(false)
  expect(isRow('Ramp', ['Ramp'])).toBe(false)
})
