import { describe, expect, it } from 'vitest'
import { GenerationWords, type StoredWords } from './generation-words.ts'

const stored = (language: string, words: Record<string, [ordinal: number, frequency: number][]>): StoredWords => ({
  generation: 1,
  language,
  terms: Object.keys(words),
  counts: Object.values(words).map(({ length }) => length),
  ordinals: Int32Array.from(Object.values(words).flatMap((entries) => entries.map(([ordinal]) => ordinal))),
  frequencies: Int32Array.from(Object.values(words).flatMap((entries) => entries.map(([, frequency]) => frequency))),
})

const found = (words: GenerationWords, language: string, term: string): number[][] => {
  const { ordinals, frequencies } = words.find({ language, term })
  return [[...ordinals], [...frequencies]]
}

describe('GenerationWords', () => {
  it('finds each word of each language, and no other', () => {
    const words = new GenerationWords([
      stored('en', {
        house: [[3, 1]],
        river: [
          [0, 2],
          [3, 5],
        ],
      }),
      stored('de', { house: [[1, 4]] }),
    ])
    expect(found(words, 'en', 'river')).toEqual([
      [0, 3],
      [2, 5],
    ])
    expect(found(words, 'en', 'house')).toEqual([[3], [1]])
    expect(found(words, 'de', 'house')).toEqual([[1], [4]])
    expect(found(words, 'de', 'river')).toEqual([[], []])
    expect(found(new GenerationWords([]), 'en', 'river')).toEqual([[], []])
  })

  it('joins the batches of a word in the order of their chunks', () => {
    const words = new GenerationWords([stored('en', { tide: [[40, 1]], sea: [[41, 1]] }), stored('en', { tide: [[2, 7]] })])
    expect(found(words, 'en', 'tide')).toEqual([
      [2, 40],
      [7, 1],
    ])
  })

  it('tells a hundred thousand words apart', () => {
    const terms = Array.from({ length: 100_000 }, (_, at) => `w${at.toString(36)}`)
    const words = new GenerationWords([stored('en', Object.fromEntries(terms.map((term, at) => [term, [[at, 1]]])))])
    expect(terms.every((term, at) => words.find({ language: 'en', term }).ordinals.join() === String(at))).toBe(true)
  })
})
