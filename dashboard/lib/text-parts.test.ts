import { expect, test } from 'vitest'
import { isRow, partsOf, readableLine } from './text-parts.ts'

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

test('splits a text into lists with their levels and further lines', () => {
  expect(partsOf('Bring:\n- a passport\n  or a card\n  - with a photo\n* cash\n3. Queue\n4) Pay\n\nThen go.')).toEqual([
    { kind: 'text', text: 'Bring:' },
    {
      kind: 'list',
      items: [
        { level: 0, marker: '•', text: 'a passport\nor a card' },
        { level: 1, marker: '•', text: 'with a photo' },
        { level: 0, marker: '•', text: 'cash' },
        { level: 0, marker: '3.', text: 'Queue' },
        { level: 0, marker: '4)', text: 'Pay' },
      ],
    },
    { kind: 'text', text: 'Then go.' },
  ])
  expect(partsOf('-5 degrees\n2.50 euros\n- \n1985. It rained.').map(({ kind }) => kind)).toEqual(['text'])
})

test('reads lines of tables and lists as text', () => {
  expect(readableLine('| Ramp \\| wide |  | 12 |')).toBe('Ramp | wide · 12')
  expect(readableLine('  - a passport')).toBe('a passport')
  expect(readableLine('Open - always')).toBe('Open - always')
})
