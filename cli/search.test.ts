import { expect, test } from 'vitest'
import { locationOf } from './search.ts'

const citation = { page: null, pageEnd: null, startSecond: null, headingPath: [], start: 0, end: 1, title: null }

test.each([
  [{}, 'Handbook'],
  [{ page: 2, pageEnd: 2 }, 'Handbook, page 2'],
  [{ page: 2, pageEnd: 3, headingPath: ['Rental', 'Deposits'] }, 'Handbook, pages 2–3 › Rental › Deposits'],
  [{ startSecond: 65 }, 'Handbook, at 1:05'],
  [{ startSecond: 3725 }, 'Handbook, at 1:02:05'],
])('%j is formatted as %s', (place, text) => expect(locationOf({ sourceName: 'Handbook', citation: { ...citation, ...place } })).toBe(text))
