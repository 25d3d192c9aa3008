import { expect, test } from 'vitest'
import { highlighted } from './highlights.ts'

const matched = (passage: string, ...words: string[]): string[] =>
  highlighted(passage, words).flatMap((piece) => (piece.matched ? [piece.text] : []))

test('the pieces join to the whole passage', () => {
  const passage = 'Open on Sundays, from 10:00 to 18:00.\nThe café is open longer!'
  const pieces = highlighted(passage, ['sunday', 'open'])
  expect(pieces.map(({ text }) => text).join('')).toBe(passage)
  expect(pieces.flatMap((piece) => (piece.matched ? [piece.text] : []))).toEqual(['Open', 'Sundays', 'open'])
})

test('matches other forms of a word, but not other words', () => {
  expect(matched('She runs, is running, and ran past the runway.', 'run')).toEqual(['runs', 'running'])
  expect(matched('The opening hours of the opera', 'open')).toEqual(['opening'])
  expect(matched('International nations', 'nation')).toEqual(['nations'])
  expect(matched('A car, a carpet, a careful carer', 'car')).toEqual(['car', 'carer'])
  expect(matched('Invoice 2026-1 and 20261', '2026')).toEqual(['2026'])
})

test('matches inside text without spaces between words', () => {
  expect(highlighted('私は東京に住む', ['東京'])).toEqual([
    { text: '私は', matched: false },
    { text: '東京', matched: true },
    { text: 'に住む', matched: false },
  ])
})

test('highlights nothing without query words', () =>
  expect(highlighted('Nothing of it', [])).toEqual([{ text: 'Nothing of it', matched: false }]))
