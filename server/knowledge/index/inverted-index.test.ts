import { describe, expect, it } from 'vitest'
import { InvertedIndex, mergedTerms, type StoredTerms } from './inverted-index.ts'

type Entries = Record<string, [ordinal: number, frequency: number][]>

const stored = (generation: number, language: string, words: Entries): StoredTerms => ({
  generation,
  language,
  terms: Object.keys(words),
  counts: Object.values(words).map(({ length }) => length),
  ordinals: Int32Array.from(Object.values(words).flatMap((entries) => entries.map(([ordinal]) => ordinal))),
  frequencies: Int32Array.from(Object.values(words).flatMap((entries) => entries.map(([, frequency]) => frequency))),
})

/** Generations have a thousand chunks each. */
const numberOf = (generation: number, ordinal: number): number => generation * 1000 + ordinal

function wordsOf(...parts: StoredTerms[][]): InvertedIndex {
  const words = new InvertedIndex()
  for (const part of parts) words.add(part, numberOf)
  return words
}

const found = (words: InvertedIndex, language: string, term: string): number[][] => {
  const stretches = words.find({ language, term })
  return [
    stretches.flatMap(({ chunks, from, to }) => [...chunks.subarray(from, to)]),
    stretches.flatMap(({ frequencies, from, to }) => [...frequencies.subarray(from, to)]),
  ]
}

describe('BaseWords', () => {
  it('finds each term of each language, and no other', () => {
    const words = wordsOf([
      stored(0, 'en', {
        house: [[3, 1]],
        river: [
          [0, 2],
          [3, 5],
        ],
      }),
      stored(0, 'de', { house: [[1, 4]] }),
    ])
    expect(found(words, 'en', 'river')).toEqual([
      [0, 3],
      [2, 5],
    ])
    expect(found(words, 'en', 'house')).toEqual([[3], [1]])
    expect(found(words, 'de', 'house')).toEqual([[1], [4]])
    expect(found(words, 'de', 'river')).toEqual([[], []])
    expect(found(wordsOf([]), 'en', 'river')).toEqual([[], []])
    expect(found(new InvertedIndex(), 'en', 'river')).toEqual([[], []])
  })

  it('has the postings of a term in the order of their chunks', () => {
    const batches = [stored(0, 'en', { tide: [[40, 1]], sea: [[41, 1]] }), stored(0, 'en', { tide: [[2, 7]] })]
    expect(found(wordsOf(batches), 'en', 'tide')).toEqual([
      [2, 40],
      [7, 1],
    ])
  })

  it('appends later postings', () => {
    const additions = Array.from({ length: 40 }, (_, generation) => [
      stored(generation, 'en', { sea: [[1, 1]], [`island${generation}`]: [[5, generation + 1]], [`bay${generation % 3}`]: [[9, 2]] }),
    ])
    const words = wordsOf(...additions)
    expect(found(words, 'en', 'sea')).toEqual([additions.map((_, generation) => generation * 1000 + 1), additions.map(() => 1)])
    for (const at of additions.keys()) expect(found(words, 'en', `island${at}`)).toEqual([[at * 1000 + 5], [at + 1]])
    expect(found(words, 'en', 'bay2')[0]).toEqual([...additions.keys()].filter((at) => at % 3 === 2).map((at) => at * 1000 + 9))
  })

  it('distinguishes a hundred thousand terms', () => {
    const terms = Array.from({ length: 100_000 }, (_, at) => `w${at.toString(36)}`)
    const words = wordsOf([stored(0, 'en', Object.fromEntries(terms.map((term, at) => [term, [[at, 1]]])))])
    expect(terms.every((term, at) => found(words, 'en', term)[0]?.join() === String(at))).toBe(true)
  })
})

describe('mergedTerms', () => {
  it('yields each term once, with renumbered chunks and without removed ones', () => {
    const size = 2 ** 20
    // Two segments: together they have more entries than a segment may have.
    const ebbs = Array.from({ length: size / 2 }, (_, at): [ordinal: number, frequency: number] => [3 + at, 1])
    const many = (generation: number) =>
      stored(generation, 'en', { sea: [[1, generation + 1]], ebb: ebbs, ...(generation === 0 && { rare: [[2, 9]] }) })
    const words = new InvertedIndex()
    for (const generation of [0, 1, 2]) words.add([many(generation)], (each, ordinal) => each * size + ordinal)
    expect(words.segments.length).toBeGreaterThan(1)
    const numbers = Int32Array.from({ length: 3 * size }, (_, chunk) => (chunk < size ? -1 : chunk - size))
    const merged = Array.from(mergedTerms(words.segments, numbers), ({ hash, chunks, frequencies }) => ({
      hash,
      chunks: chunks.slice(),
      frequencies: frequencies.slice(),
    }))
    expect(merged.map(({ hash }) => hash)).toEqual(merged.map(({ hash }) => hash).toSorted((a, b) => a - b))
    expect(merged.map(({ chunks }) => chunks.length).toSorted((a, b) => a - b)).toEqual([2, size])
    const [sea, ebb] = merged.toSorted((a, b) => a.chunks.length - b.chunks.length)
    expect([sea?.chunks, sea?.frequencies]).toEqual([Int32Array.of(1, size + 1), Uint16Array.of(2, 3)])
    expect([ebb?.chunks.at(0), ebb?.chunks.at(size / 2)]).toEqual([3, size + 3])
  })
})
