import { describe, expect, it } from 'vitest'
import { cosine as cosineOf } from '../embed/vectors.ts'
import { BaseIndex, type GenerationRange } from './base-index.ts'
import type { IndexContext } from './base-indexes.ts'
import { findIn, type IndexQuery } from './find-chunks.ts'
import { rank, type RankedChunk, type RankedQuery } from './rank.ts'
import { ScratchBuffers } from './scratch-buffers.ts'

/** Numbers that look random and are the same in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

const next = random(5)
const normal = (): number => next() + next() + next() + next() - 2
const dimensions = 128

function unit(numbers: Float32Array): Float32Array {
  const length = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0))
  return numbers.map((value) => value / length)
}

/** Texts of the same subject have vectors around the same middle. */
const subjects = Array.from({ length: 300 }, () => Float32Array.from({ length: dimensions }, normal))
const vectorOf = (subject: number): Float32Array =>
  unit((subjects[subject] ?? new Float32Array(dimensions)).map((value) => value + 0.7 * normal()))

interface Filled {
  readonly index: BaseIndex
  readonly ranges: readonly GenerationRange[]
  readonly vectors: readonly Float32Array[]
}

const rareIn = [5, 50, 111]

/** Fills an index: one chunk in a hundred contains `word`, and three chunks contain `rare`. */
function filled(generations: number, chunks: number): Filled {
  const index = new BaseIndex()
  const vectors: Float32Array[] = []
  const ordinals = Int32Array.from({ length: chunks }, (_, ordinal) => ordinal)
  index.addTerms(
    ['word', 'rare'].map((term) => ({ term, language: 'en' })),
    [],
  )
  const ranges = Array.from({ length: generations }, (_, generation) => {
    const range = index.number({ generation, hasVectors: true, languages: ['en'], ordinals, lengths: new Int32Array(chunks).fill(50) })
    for (const ordinal of ordinals) {
      const vector = vectorOf(Math.floor(next() * subjects.length))
      vectors.push(vector)
      index.setVector(range, ordinal, vector)
    }
    return range
  })
  const postings = ranges.map(({ generation }) => {
    const having = ordinals.filter(() => next() < 0.01)
    const parts = [{ generation, count: having.length }]
    return { term: 'word', language: 'en', parts, ordinals: having, frequencies: new Int32Array(having.length).fill(1) }
  })
  for (const generation of rareIn) {
    const parts = [{ generation, count: 1 }]
    postings.push({ term: 'rare', language: 'en', parts, ordinals: Int32Array.of(7), frequencies: Int32Array.of(20) })
  }
  index.apply({ fingerprint: 'full', added: ranges, postings, removed: [] })
  return { index, ranges, vectors }
}

const rankedQuery = (options: Partial<RankedQuery>): RankedQuery => ({
  terms: [],
  termWeights: [1],
  queryVector: null,
  competence: 1,
  lexical: false,
  topK: 10,
  perSourceLimit: null,
  unrelatedCosine: 0,
  explain: false,
  ...options,
})

const ranked = (index: BaseIndex, selected: readonly number[] | null, query: RankedQuery): readonly RankedChunk[] =>
  rank([{ index, selected }], query).chunks

const scratch = new ScratchBuffers()
const nothing = (): never => {
  throw new Error('a search in memory reads nothing')
}
const ctx: IndexContext = {
  organizationId: 'organization',
  db: { select: nothing, transaction: nothing },
  log: { warn: nothing },
  measurements: { searchStep: () => undefined, indexLoad: () => undefined },
}

describe('rank with candidate selection', () => {
  const { index, ranges, vectors } = filled(120, 500)
  /** Returns the 10 selected chunks whose vectors are nearest. */
  const nearest = (query: Float32Array, isSelected: (generation: number) => boolean): string[] => {
    const generationAt = (at: number): number => Math.floor(at / 500)
    const cosines = Float64Array.from(vectors, (vector, at) => (isSelected(generationAt(at)) ? cosineOf(vector, query) : -1))
    const tenth = cosines.toSorted().at(-10) ?? 1
    return vectors.flatMap((_, at) => ((cosines[at] ?? -1) >= tenth ? [`${generationAt(at)} ${at % 500}`] : []))
  }

  const recall = (selected: readonly number[] | null): number => {
    const generations = new Set(selected)
    let found = 0
    for (let subject = 0; subject < 40; subject++) {
      const queryVector = vectorOf(subject)
      const exact = new Set(nearest(queryVector, (generation) => selected === null || generations.has(generation)))
      const hits = ranked(index, selected, rankedQuery({ queryVector }))
      expect(hits).toHaveLength(10)
      found += hits.filter(({ generation, ordinal }) => exact.has(`${generation} ${ordinal}`)).length
    }
    return found / 400
  }

  it('finds the same chunks as an exact search', () => {
    expect(recall(null)).toBeGreaterThanOrEqual(0.97)
  })

  it('finds them under a filter that leaves few or many chunks', () => {
    expect(recall([3, 77])).toBe(1)
    expect(recall(ranges.flatMap(({ generation }) => (generation % 9 === 0 ? [] : [generation])))).toBeGreaterThanOrEqual(0.97)
  })

  it('searches at the same time share a scan, and find the same chunks with the same scores', async () => {
    const queries = Array.from({ length: 12 }, (_, at) => ({
      vector: at % 5 === 4 ? null : vectorOf(at),
      selected: at % 4 === 3 ? [3, 5, 77] : null,
    }))
    const search = async ({ vector, selected }: (typeof queries)[number]): Promise<readonly object[]> => {
      const model = { name: 'model', unrelatedCosine: 0, competences: async () => ({}) }
      const compared = { model, vector, competence: 1 }
      const base = {
        id: 'base',
        ragSettings: {},
        fingerprint: 'full',
        models: ['model'],
        sources: 120,
        chunks: 60_000,
        selected,
        lag: 'none' as const,
      }
      const query: IndexQuery = {
        baseIds: ['base'],
        scope: [base],
        compared: [compared],
        queryText: 'word rare',
        earlierText: '',
        partial: false,
        topK: 10,
        lexical: true,
        perSourceLimit: null,
        explain: false,
      }
      const parts = [{ base, compared, index, models: ['model'], selected }]
      const indexes = { open: async () => parts, loadTerms: async () => undefined, find: async () => parts }
      const { chunks } = await findIn(ctx, query, indexes, scratch, undefined)
      return chunks
    }
    const alone: (readonly object[])[] = []
    for (const query of queries) alone.push(await search(query))
    const before = index.vectors?.bytes ?? 0
    expect(await Promise.all(queries.map(search))).toEqual(alone)
    expect(index.vectors?.bytes).toBeGreaterThan(before)
  })

  it('finds chunks that rank first by their terms alone', () => {
    const terms = ['word', 'rare'].map((term, group) => ({ group, word: term, term, language: 'en' }))
    const ofNoSubject = unit(Float32Array.from({ length: dimensions }, normal))
    const query = rankedQuery({ queryVector: ofNoSubject, lexical: true, terms, termWeights: [1, 1], topK: 100 })
    const hits = ranked(index, null, query)
    expect(hits.map(({ generation, ordinal }) => [generation, ordinal])).toEqual(expect.arrayContaining(rareIn.map((each) => [each, 7])))
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a))
    for (const { vector, lexical, feedback, score } of hits) {
      expect(score).toBeCloseTo((((vector ?? 0) + 2.5 * lexical) / 3.5 + 0.4 * (feedback ?? 0)) / 1.4, 9)
    }
    expect(ranked(index, null, { ...query, topK: 20 })).toEqual(hits.slice(0, 20))
  })
})

describe('rank with exact search', () => {
  it('excludes only chunks that cannot reach the top k', () => {
    const { index, ranges } = filled(60, 50)
    const terms = ['word', 'rare'].map((term, group) => ({ group, word: term, term, language: 'en' }))
    for (let subject = 0; subject < 20; subject++) {
      const query = rankedQuery({ queryVector: vectorOf(subject), lexical: true, terms, termWeights: [1, 1] })
      const some = subject % 2 === 0 ? null : ranges.flatMap(({ generation }) => (generation % 3 === 0 ? [generation] : []))
      const whole = ranked(index, some, { ...query, topK: 3_000 })
      expect(whole).toHaveLength(some === null ? 3_000 : 1_000)
      expect(ranked(index, some, query)).toEqual(whole.slice(0, 10))
      expect(ranked(index, some, { ...query, perSourceLimit: 1, topK: 1 })).toEqual(whole.slice(0, 1))
    }
  })
})

describe('rank with languages that the embedding model does not know', () => {
  const index = new BaseIndex()
  const term = { group: 0, word: 'word', term: 'word', language: 'en' }
  const ordinals = Int32Array.from({ length: 6 }, (_, ordinal) => ordinal)
  const competences = [1, 0, 0.5].map((competence) => ({ competence, chunks: 2 }))
  index.addTerms([term], [])
  const stored = { generation: 1, hasVectors: true, languages: ['en'], competences, ordinals, lengths: new Int32Array(6).fill(50) }
  const range = index.number(stored)
  for (const ordinal of ordinals) index.setVector(range, ordinal, vectorOf(1))
  const parts = [{ generation: 1, count: 3 }]
  const postings = [{ ...term, parts, ordinals: Int32Array.of(0, 2, 4), frequencies: Int32Array.of(1, 1, 1) }]
  index.apply({ fingerprint: 'mixed', added: [range], postings, removed: [] })
  const query = rankedQuery({ queryVector: vectorOf(1), lexical: true, terms: [term] })
  const scored = (options: Partial<RankedQuery>): [number, RankedChunk][] =>
    ranked(index, null, { ...query, ...options })
      .map((hit): [number, RankedChunk] => [hit.ordinal, hit])
      .toSorted(([a], [b]) => a - b)

  it('weights vectors and feedback by the competence for each chunk', () => {
    const hits = scored({})
    expect(hits.map(([ordinal]) => ordinal)).toEqual([0, 1, 2, 4, 5])
    for (const [ordinal, { score, vector, lexical, feedback }] of hits) {
      const competence = competences[ordinal >> 1]?.competence ?? 0
      const match = (competence * (vector ?? 0) + 2.5 * lexical) / (competence + 2.5)
      expect(score).toBeCloseTo((match + 0.4 * competence * (feedback ?? 0)) / (1 + 0.4 * competence), 9)
      expect(vector === null).toBe(competence === 0)
    }
  })

  it('finds chunks without competence by their terms, also in a search by vectors', () => {
    const hits = scored({ lexical: false })
    expect(hits.map(([ordinal]) => ordinal)).toEqual([0, 1, 2, 4, 5])
    for (const [ordinal, { score, vector, lexical }] of hits) expect(score).toBe(ordinal === 2 ? lexical : vector)
  })

  it('limits the chunks of a source that has several languages', () => {
    expect(scored({ perSourceLimit: 2 })).toHaveLength(2)
  })

  it('is lexical if the query has no competence', () => {
    const hits = scored({ competence: 0 })
    expect(hits.map(([ordinal]) => ordinal)).toEqual([0, 2, 4])
    for (const [, { score, vector, lexical }] of hits) expect([score, vector]).toEqual([lexical, null])
  })
})

describe('an index after generations were removed', () => {
  it('equals an index without them', () => {
    const { index } = filled(6, 40)
    const terms = [{ group: 0, word: 'word', term: 'word', language: 'en' }]
    const query = rankedQuery({ queryVector: vectorOf(0), lexical: true, terms, topK: 100 })
    const before = ranked(index, null, { ...query, topK: 1000 })
    index.apply({ fingerprint: 'fewer', added: [], postings: [], removed: [1, 4] })
    const after = ranked(index, null, query)
    expect(index.chunks).toBe(160)
    expect(after.some(({ generation }) => generation === 1 || generation === 4)).toBe(false)
    // Without them, the remaining chunks have the same document frequency as the other index.
    const cosines = (hits: typeof before) => hits.map(({ generation, ordinal, cosine }) => `${generation} ${ordinal} ${cosine}`).toSorted()
    const left = before.filter(({ generation }) => generation !== 1 && generation !== 4)
    expect(cosines(ranked(index, null, { ...query, topK: 1000 }))).toEqual(cosines(left))
  })
})
