import type { QueryTerm } from './analyze.ts'
import { enlarged, InvertedIndex, type Segment, type StoredTerms } from './inverted-index.ts'
import { lowerBound } from './lower-bound.ts'
import { FloatVectors } from './vectors.ts'
import { noPostings, type EntryAllocator, type Postings, type PostingRange } from './postings.ts'

/** An index term of one language. */
export type Term = Pick<QueryTerm, 'term' | 'language'>

/** Consecutive chunks with the same competence of the embedding model. */
export interface ChunkRange {
  /** How far their vectors mean something, 0 to 1, see `Embedder`; 0 if their vectors cannot be compared with the query. */
  readonly competence: number
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** The chunks of one generation, which are numbered consecutively. */
export interface GenerationRange {
  readonly generation: number
  /** Whether its vectors come from the embedding model of the queries. */
  readonly hasVectors: boolean
  /** The languages that its chunks were analyzed in. */
  readonly languages: readonly string[]
  /** The chunks by competence, ascending. */
  readonly parts: readonly ChunkRange[]
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** A range that no search reads yet. */
export interface NumberedRange extends GenerationRange {
  /** Number of terms of each chunk. */
  readonly lengths: Int32Array
}

/** Returns the ranges in order, with adjacent ones of the same competence merged. */
export function mergeAdjacent(ranges: readonly ChunkRange[]): ChunkRange[] {
  const merged: ChunkRange[] = []
  for (const { competence, from, to } of ranges) {
    const last = merged.at(-1)
    if (last?.to === from && last.competence === competence) merged[merged.length - 1] = { competence, from: last.from, to }
    else merged.push({ competence, from, to })
  }
  return merged
}

/** The stored postings of a term: for each generation in `parts`, the ordinals of its chunks and the frequencies in them. */
export interface StoredPostings extends Term {
  readonly parts: readonly { readonly generation: number; readonly count: number }[]
  readonly ordinals: Int32Array
  readonly frequencies: Int32Array
}

/** The stored lengths of the chunks of one generation, in terms, by ordinal. */
export interface StoredLengths {
  readonly generation: number
  readonly hasVectors: boolean
  readonly languages: readonly string[]
  /** Competence of the embedding model for consecutive chunks; 1 for all if omitted. */
  readonly competences?: readonly { readonly competence: number; readonly chunks: number }[]
  readonly ordinals: Int32Array
  readonly lengths: Int32Array
}

/** A change of the live generations. */
export interface IndexChange {
  readonly fingerprint: string
  readonly added: readonly NumberedRange[]
  /** Postings of the added generations for the loaded terms; empty when the whole inverted index is loaded. */
  readonly postings: readonly StoredPostings[]
  /** Generations. */
  readonly removed: readonly number[]
}

/** The postings of a term that was loaded on demand, extended when generations are added. */
interface LoadedTerm {
  readonly term: Term
  readonly chunks: Int32Array
  readonly frequencies: Uint16Array
}

/** All that an index consists of, with consecutive ranges from 0. */
export interface IndexContent {
  readonly ranges: readonly (GenerationRange & { readonly isInverted: boolean })[]
  /** By chunk number. */
  readonly lengths: Int32Array
  /** By chunk number. */
  readonly ordinals: Int32Array
  readonly vectors: FloatVectors | null
  readonly segments: readonly Segment[]
  /** Whether the vectors and postings of these chunks are read from a file. */
  readonly isStored: boolean
}

/** The length of a chunk that is deleted or that no search reads yet. */
const notLive = -1

/**
 * The in-memory index of one knowledge base: vectors, chunk lengths, and the postings that searches have needed. Every
 * chunk has a number; numbers of removed generations are not reused.
 */
export class BaseIndex {
  /** Identifies the set of live generations; empty for a new index, which has none. */
  fingerprint = ''
  /** Number of terms of each chunk, by chunk number. */
  lengths = new Int32Array(0)
  /** Ordinal of each chunk in its generation, by chunk number. */
  ordinals = new Int32Array(0)
  vectors: FloatVectors | null = null
  /** Number of chunks whose vectors and postings are read from a file, with those that were removed since. */
  storedChunks = 0
  /** The languages of the live chunks. */
  languages: readonly string[] = []
  /** Live ranges, ascending by chunk number. */
  #ranges: GenerationRange[] = []
  /** The first chunk number of each live range. */
  #starts = new Int32Array(0)
  #contiguousRanges: ChunkRange[] = []
  readonly #byGeneration = new Map<number, GenerationRange>()
  readonly #terms = new Map<string, LoadedTerm>()
  #invertedIndex = new InvertedIndex()
  /** Cached document frequencies of the live chunks; cleared when generations change. */
  readonly #documentFrequencies = new Map<string, number>()
  /** The first chunk numbers of the ranges in the inverted index. */
  readonly #inverted = new Set<number>()
  #isFullyInverted = false
  #numbered = 0
  #live = 0
  #termCount = 0
  #postingCount = 0

  /** Returns an index of this content, without a fingerprint. */
  static of({ ranges, lengths, ordinals, vectors, segments, isStored }: IndexContent): BaseIndex {
    const index = new BaseIndex()
    Object.assign(index, { lengths, ordinals, vectors, storedChunks: isStored ? lengths.length : 0 })
    index.#numbered = lengths.length
    index.#invertedIndex = new InvertedIndex(segments)
    for (const { isInverted, ...range } of ranges) {
      index.#add({ ...range, lengths: lengths.subarray(range.from, range.to) })
      if (isInverted) index.#inverted.add(range.from)
    }
    index.apply({ fingerprint: '', added: [], postings: [], removed: [] })
    return index
  }

  /** The parts of the inverted index. They never change. */
  get segments(): readonly Segment[] {
    return this.#invertedIndex.segments
  }

  /** Number of live chunks. */
  get chunks(): number {
    return this.#live
  }

  /** Number of terms of all live chunks. */
  get terms(): number {
    return this.#termCount
  }

  /** Number of chunk numbers assigned so far. */
  get size(): number {
    return this.#numbered
  }

  get ranges(): readonly GenerationRange[] {
    return this.#ranges
  }

  /** The live chunks by competence, ascending. */
  get contiguousRanges(): readonly ChunkRange[] {
    return this.#contiguousRanges
  }

  get bytes(): number {
    return (
      (this.vectors?.bytes ?? 0) + this.lengths.byteLength + this.ordinals.byteLength + this.#postingCount * 6 + this.#invertedIndex.bytes
    )
  }

  /** About the size of its file. */
  get fileBytes(): number {
    const { vectors } = this
    const perChunk = 8 + (vectors === null ? 0 : 4 + vectors.bytesEach + vectors.binary.bytesEach)
    return this.#live * perChunk + this.segments.reduce((sum, { size, hashes }) => sum + 6 * size + 16 * hashes.length, 0)
  }

  rangeOf(generation: number): GenerationRange | undefined {
    return this.#byGeneration.get(generation)
  }

  /** Returns the live generation of a chunk. */
  rangeAt(chunk: number): GenerationRange {
    const range = this.#ranges[Math.max(0, lowerBound(this.#starts, chunk + 1) - 1)]
    if (range === undefined) throw new Error('an empty index has no chunk numbers')
    return range
  }

  /** Assigns numbers to the chunks of a generation. No search reads them before `apply` adds the range. */
  number({ generation, hasVectors, languages, competences, ordinals, lengths }: StoredLengths): NumberedRange {
    const from = this.#numbered
    this.#numbered += ordinals.length
    if (this.#numbered > this.lengths.length) {
      const capacity = Math.max(this.#numbered, this.lengths.length * 2)
      this.lengths = enlarged(this.lengths, capacity)
      this.ordinals = enlarged(this.ordinals, capacity)
    }
    this.lengths.fill(notLive, from, this.#numbered)
    this.ordinals.set(ordinals, from)
    let next = from
    const parts = (competences ?? [{ competence: 1, chunks: ordinals.length }]).map(({ competence, chunks }) => ({
      competence: hasVectors ? competence : 0,
      from: next,
      to: (next += chunks),
    }))
    return { generation, hasVectors, languages, parts: mergeAdjacent(parts), from, to: this.#numbered, lengths }
  }

  setVector(range: GenerationRange, ordinal: number, vector: Float32Array): void {
    this.vectors ??= new FloatVectors(vector.length)
    this.vectors.reserve(this.#numbered)
    const chunk = this.#chunkOf(range, ordinal)
    if (chunk !== undefined) this.vectors.set(chunk, vector)
  }

  apply({ fingerprint, added, postings, removed }: IndexChange): void {
    for (const generation of removed) this.#remove(generation)
    for (const range of added) this.#add(range)
    this.#ranges = [...this.#byGeneration.values()].toSorted((a, b) => a.from - b.from)
    this.#starts = Int32Array.from(this.#ranges, ({ from }) => from)
    this.#contiguousRanges = mergeAdjacent(this.#ranges.flatMap(({ parts }) => parts))
    this.languages = [...new Set(this.#ranges.flatMap(({ languages }) => languages))]
    this.#documentFrequencies.clear()
    this.#updateInverted()
    this.#append(postings)
    this.fingerprint = fingerprint
  }

  /** Whether the inverted index holds all terms of the live chunks. */
  get isFullyInverted(): boolean {
    return this.#isFullyInverted
  }

  get hasLoadedTerms(): boolean {
    return this.#terms.size > 0
  }

  /** The terms that were loaded on demand. */
  get loadedTerms(): readonly Term[] {
    return Array.from(this.#terms.values(), ({ term }) => term)
  }

  /** Returns the terms whose postings are not in memory, each once. */
  missingTerms(terms: readonly Term[]): Term[] {
    const missing = new Map<string, Term>()
    for (const term of this.#isFullyInverted ? [] : terms) {
      const key = keyOf(term.language, term.term)
      if (!this.#terms.has(key)) missing.set(key, term)
    }
    return [...missing.values()]
  }

  /** Adds the postings of the live generations for these terms. */
  addTerms(terms: readonly Term[], postings: readonly StoredPostings[]): void {
    for (const { term, language } of terms) {
      this.#terms.set(keyOf(language, term), {
        term: { term, language },
        chunks: new Int32Array(0),
        frequencies: new Uint16Array(0),
      })
    }
    this.#append(postings)
  }

  /** Adds ranges to the inverted index, live or not. Their chunks have higher numbers than those added before. */
  invert(ranges: readonly GenerationRange[], stored: readonly StoredTerms[]): void {
    const byGeneration = new Map(ranges.map((range) => [range.generation, range]))
    const listed = stored.filter(({ generation }) => byGeneration.has(generation))
    this.#invertedIndex.add(listed, (generation, ordinal) => {
      const range = byGeneration.get(generation)
      return range === undefined ? 0 : (this.#chunkOf(range, ordinal) ?? range.from)
    })
    for (const { from } of ranges) this.#inverted.add(from)
    this.#updateInverted()
  }

  /** Live generations that are not in the inverted index, ascending by chunk number. */
  get notInverted(): readonly GenerationRange[] {
    return this.#ranges.filter(({ from }) => !this.#inverted.has(from))
  }

  /** Returns the postings of a term; those of a file in the arrays of `allocate`. */
  postingsOf(term: Term, allocate?: EntryAllocator): Postings {
    const key = keyOf(term.language, term.term)
    const known = this.#terms.get(key)
    if (known === undefined && !this.#isFullyInverted) return noPostings
    const ranges = known === undefined ? this.#invertedIndex.find(term, allocate) : [{ ...known, from: 0, to: known.chunks.length }]
    return { ranges, count: this.#documentFrequency(key, ranges) }
  }

  /** Returns the number of live chunks that contain any of the terms, from the ranges of their union. */
  frequencyOfAny(_terms: readonly Term[], union: readonly PostingRange[]): number {
    return this.countLive(union)
  }

  /** Returns the number of live chunks in posting ranges. */
  countLive(ranges: readonly PostingRange[]): number {
    let count = 0
    for (const { chunks, from, to } of ranges) {
      if (this.#numbered === this.#live) count += to - from
      else for (let at = from; at < to; at++) if ((this.lengths[chunks[at] ?? 0] ?? notLive) !== notLive) count += 1
    }
    return count
  }

  #documentFrequency(key: string, ranges: readonly PostingRange[]): number {
    const count = this.#documentFrequencies.get(key) ?? this.countLive(ranges)
    if (this.#documentFrequencies.size === maxCachedFrequencies) this.#documentFrequencies.clear()
    this.#documentFrequencies.set(key, count)
    return count
  }

  #clearTerms(): void {
    this.#terms.clear()
    this.#postingCount = 0
  }

  #updateInverted(): void {
    const all = this.#ranges.length > 0 && this.notInverted.length === 0
    // The inverted index answers for them.
    if (all) this.#clearTerms()
    this.#isFullyInverted = all
  }

  #add({ lengths, ...range }: NumberedRange): void {
    this.#byGeneration.set(range.generation, range)
    this.lengths.set(lengths, range.from)
    this.#live += range.to - range.from
    for (let chunk = range.from; chunk < range.to; chunk++) this.#termCount += this.lengths[chunk] ?? 0
  }

  #remove(generation: number): void {
    const range = this.#byGeneration.get(generation)
    if (range === undefined) return
    this.#byGeneration.delete(generation)
    this.#live -= range.to - range.from
    for (let chunk = range.from; chunk < range.to; chunk++) this.#termCount -= this.lengths[chunk] ?? 0
    this.lengths.fill(notLive, range.from, range.to)
  }

  /** Appended chunks have the highest numbers so far, or are all that a term has. */
  #append(postings: readonly StoredPostings[]): void {
    for (const { language, term, parts, ordinals, frequencies } of postings) {
      const key = keyOf(language, term)
      const known = this.#terms.get(key)
      if (known === undefined) continue
      const live = this.#livePartsOf(parts, ordinals)
      const size = live.reduce((sum, { count }) => sum + count, known.chunks.length)
      const longer = { chunks: enlarged(known.chunks, size), frequencies: enlarged(known.frequencies, size) }
      let end = known.chunks.length
      for (const { range, at, count } of live) {
        for (let entry = at; entry < at + count; entry++, end++) {
          longer.chunks[end] = this.#chunkOf(range, ordinals[entry] ?? 0) ?? 0
          longer.frequencies[end] = frequencies[entry] ?? 0
        }
      }
      this.#postingCount += size - known.chunks.length
      this.#terms.set(key, { ...known, ...longer })
    }
  }

  /** Returns the parts of live generations with the position of their first entry, ascending by chunk number. */
  #livePartsOf(parts: StoredPostings['parts'], ordinals: Int32Array) {
    let next = 0
    return parts
      .flatMap(({ generation, count }) => {
        const at = next
        next += count
        const range = this.#byGeneration.get(generation)
        return range === undefined ? [] : [{ range, at, count }]
      })
      .toSorted((one, other) => one.range.from - other.range.from || (ordinals[one.at] ?? 0) - (ordinals[other.at] ?? 0))
  }

  /** Ordinals rarely have gaps; without one, the position follows from the ordinal. */
  #chunkOf({ from, to }: GenerationRange, ordinal: number): number | undefined {
    const expected = from + ordinal - (this.ordinals[from] ?? 0)
    if (expected < to && this.ordinals[expected] === ordinal) return expected
    const found = this.ordinals.subarray(from, to).indexOf(ordinal)
    return found < 0 ? undefined : from + found
  }
}

/** Document frequencies in the cache. */
const maxCachedFrequencies = 10_000

const keyOf = (language: string, term: string): string => `${language} ${term}`
