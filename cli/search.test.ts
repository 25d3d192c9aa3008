import { expect, test } from 'vitest'
import { emphasized, locationOf } from './search.ts'

const citation = { page: null, pageEnd: null, startSecond: null, headingPath: [], start: 0, end: 1, title: null }

test.each([
  [{}, 'Handbook'],
  [{ page: 2, pageEnd: 2 }, 'Handbook, page 2'],
  [{ page: 2, pageEnd: 3, headingPath: ['Rental', 'Deposits'] }, 'Handbook, pages 2–3 › Rental › Deposits'],
  [{ startSecond: 65 }, 'Handbook, at 1:05'],
  [{ startSecond: 3725 }, 'Handbook, at 1:02:05'],
])('%j is formatted as %s', (place, text) => expect(locationOf({ sourceName: 'Handbook', citation: { ...citation, ...place } })).toBe(text))

test('the best sentence is emphasized, also across lines', () => {
  const text = 'One. Two\nthree. Four.'
  const stars = (highlights: { start: number; end: number }[]): string[] => emphasized({ text, highlights }, (piece) => `*${piece}*`)
  expect(
    stars([
      { start: 5, end: 15 },
      { start: 0, end: 4 },
    ]),
  ).toEqual(['One. *Two*', '*three.* Four.'])
  expect(stars([])).toEqual(['One. Two', 'three. Four.'])
})
