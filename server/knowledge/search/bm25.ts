import type { QueryTerm } from './analyze.ts'
import type { BaseIndex } from './base-index.ts'
import { firstNotLess } from './first-not-less.ts'
import { nowhere, type Postings } from './postings.ts'

/** Robertson and Zaragoza, The Probabilistic Relevance Framework (2009); the customary values. */
const k1 = 1.2
const b = 0.75

/** What a word of the query brings to a chunk. */
export interface WordShare {
  /** The group of its terms. */
  readonly word: number
  readonly weight: number
  readonly bm25: number
}

export interface Statistics {
  /** How rare the words of each group are. */
  readonly wordWeights: readonly number[]
  /** Of a chunk, in terms. */
  readonly meanLength: number
  /** How many there are. */
  readonly chunks: number
}

/** A base, and where each term of a query stands in it, in the order of the terms. */
export interface AskedBase {
  readonly index: BaseIndex
  readonly postings: readonly Postings[]
}

/** Over all live chunks of the bases, whatever of them is searched. */
export function statisticsOf(
  bases: readonly AskedBase[],
  { terms, termWeights }: { readonly terms: readonly QueryTerm[]; readonly termWeights: readonly number[] },
): Statistics {
  const chunks = bases.reduce((total, { index }) => total + index.chunks, 0)
  const length = bases.reduce((total, { index }) => total + index.terms, 0)
  const frequencies = termWeights.map(() => 0)
  for (const { postings } of bases)
    for (const [at, { group }] of terms.entries()) frequencies[group] = (frequencies[group] ?? 0) + (postings[at]?.count ?? 0)
  const rarity = (having: number): number => Math.log(1 + (chunks - having + 0.5) / (having + 0.5))
  return {
    wordWeights: frequencies.map((having, group) => (termWeights[group] ?? 0) * rarity(having)),
    meanLength: length / Math.max(chunks, 1),
    chunks,
  }
}

/** Writes the BM25 of every chunk of a base, by its number. */
export function writeBm25(
  bm25: Float32Array,
  { index: { lengths }, postings }: AskedBase,
  terms: readonly QueryTerm[],
  { wordWeights, meanLength }: Statistics,
): void {
  const [ofNone, ofTerm] = [k1 * (1 - b), (k1 * b) / meanLength]
  bm25.fill(0)
  for (const [place, { group }] of terms.entries()) {
    const weight = wordWeights[group] ?? 0
    for (const { chunks, frequencies, from, to } of postings[place]?.stretches ?? []) {
      for (let at = from; at < to; at++) {
        const chunk = chunks[at] ?? 0
        const frequency = frequencies[at] ?? 0
        bm25[chunk] = (bm25[chunk] ?? 0) + (weight * frequency) / (frequency + ofNone + ofTerm * (lengths[chunk] ?? 0))
      }
    }
  }
}

/** What each word of the query brings to the BM25 of one chunk. */
export function sharesOf(
  { index, postings }: AskedBase,
  chunk: number,
  terms: readonly QueryTerm[],
  { wordWeights, meanLength }: Statistics,
): WordShare[] {
  const norm = k1 * (1 - b + (b * (index.lengths[chunk] ?? 0)) / meanLength)
  return terms.flatMap(({ group }, place) => {
    const frequency = frequencyIn(postings[place] ?? nowhere, chunk)
    if (frequency === 0) return []
    const weight = wordWeights[group] ?? 0
    return [{ word: group, weight, bm25: (weight * frequency) / (frequency + norm) }]
  })
}

function frequencyIn({ stretches }: Postings, chunk: number): number {
  for (const { chunks, frequencies, from, to } of stretches) {
    const at = firstNotLess(chunks, chunk, from, to)
    if (at < to) return chunks[at] === chunk ? (frequencies[at] ?? 0) : 0
  }
  return 0
}
