import type { QueryTerm } from './analyze.ts'
import { BaseWords, type StoredWords } from './base-words.ts'
import { firstNotLess } from './first-not-less.ts'
import { PackedVectors } from './packed-vectors.ts'
import { nowhere, type Postings, type PostingStretch } from './postings.ts'

/** Of one language. */
export type Term = Pick<QueryTerm, 'term' | 'language'>

/** The chunks of one generation, which are numbered one after the other. */
export interface GenerationRange {
  readonly generation: number
  /** Whether its vectors are of the model that queries are embedded by. */
  readonly compared: boolean
  /** That its chunks were analysed as. */
  readonly languages: readonly string[]
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** A range that is no part of any search yet. */
export interface NumberedRange extends GenerationRange {
  /** How many terms each chunk has. */
  readonly lengths: Int32Array
}

/** Chunks that lie side by side, of which all or none are compared. */
export type Stretch = Pick<GenerationRange, 'compared' | 'from' | 'to'>

/** Ranges in their order, those that lie side by side as one. */
export function sideBySide(ranges: readonly GenerationRange[]): Stretch[] {
  const stretches: Stretch[] = []
  for (const { compared, from, to } of ranges) {
    const last = stretches.at(-1)
    if (last?.to === from && last.compared === compared) stretches[stretches.length - 1] = { compared, from: last.from, to }
    else stretches.push({ compared, from, to })
  }
  return stretches
}

/** Where a term stands, as it is stored: stretch by stretch the ordinals of chunks of one generation, and how often it is in each. */
export interface StoredPostings extends Term {
  readonly stretches: readonly { readonly generation: number; readonly count: number }[]
  readonly ordinals: Int32Array
  readonly frequencies: Int32Array
}

/** The chunks of one generation as they are stored, by ordinal: how many terms each has. */
export interface StoredLengths {
  readonly generation: number
  readonly compared: boolean
  readonly languages: readonly string[]
  readonly ordinals: Int32Array
  readonly lengths: Int32Array
}

/** What changes when sources come and go. */
export interface IndexChange {
  readonly fingerprint: string
  readonly added: readonly NumberedRange[]
  /** Of the added ones, for the terms that are known; nothing where all words are kept. */
  readonly postings: readonly StoredPostings[]
  /** Generations. */
  readonly removed: readonly number[]
}

/** What the live generations had of a term when it was asked for, and of later ones: the lists are its alone. */
interface KnownTerm {
  readonly term: Term
  readonly chunks: Int32Array
  readonly frequencies: Uint16Array
}

/** Stands for the length of a chunk that is gone, or no part of any search yet. */
const gone = -1

/**
 * What a search of one base compares: the vectors of its chunks, their lengths, and where the terms stand that were asked
 * for. Every chunk has a number; those of removed generations are not used again.
 */
export class BaseIndex {
  /** Tells one set of live generations from another; empty for a new index, which has none. */
  fingerprint = ''
  /** How many terms each chunk has, by its number. */
  lengths = new Int32Array(0)
  /** The place of each chunk in its generation, by its number. */
  ordinals = new Int32Array(0)
  vectors: PackedVectors | null = null
  /** Of the live chunks. */
  languages: readonly string[] = []
  /** Live ones, by number. */
  #ranges: GenerationRange[] = []
  /** Of each of them, its first number. */
  #begins = new Int32Array(0)
  #stretches: Stretch[] = []
  readonly #byGeneration = new Map<number, GenerationRange>()
  readonly #terms = new Map<string, KnownTerm>()
  readonly #words = new BaseWords()
  /** Live chunks that have a term, as they were last counted; empty where chunks have come or gone since. */
  readonly #counts = new Map<string, number>()
  /** Where the ranges begin whose words are kept. */
  readonly #worded = new Set<number>()
  #hasAllWords = false
  #numbered = 0
  #live = 0
  #termCount = 0
  #postingCount = 0

  /** Live chunks. */
  get chunks(): number {
    return this.#live
  }

  /** Terms of all live chunks. */
  get terms(): number {
    return this.#termCount
  }

  /** Numbers given out. */
  get size(): number {
    return this.#numbered
  }

  get ranges(): readonly GenerationRange[] {
    return this.#ranges
  }

  /** The same, those that lie side by side as one. */
  get stretches(): readonly Stretch[] {
    return this.#stretches
  }

  get bytes(): number {
    return (this.vectors?.bytes ?? 0) + this.lengths.byteLength + this.ordinals.byteLength + this.#postingCount * 6 + this.#words.bytes
  }

  rangeOf(generation: number): GenerationRange | undefined {
    return this.#byGeneration.get(generation)
  }

  /** The live generation that a chunk is of. */
  rangeAt(chunk: number): GenerationRange {
    const range = this.#ranges[Math.max(0, firstNotLess(this.#begins, chunk + 1) - 1)]
    if (range === undefined) throw new Error('an index without chunks has none at this number')
    return range
  }

  /** Numbers the chunks of a generation; they are no part of any search until `apply` says so. */
  number({ generation, compared, languages, ordinals, lengths }: StoredLengths): NumberedRange {
    const from = this.#numbered
    this.#numbered += ordinals.length
    if (this.#numbered > this.lengths.length) {
      const room = Math.max(this.#numbered, this.lengths.length * 2)
      this.lengths = enlarged(this.lengths, room)
      this.ordinals = enlarged(this.ordinals, room)
    }
    this.lengths.fill(gone, from, this.#numbered)
    this.ordinals.set(ordinals, from)
    return { generation, compared, languages, from, to: this.#numbered, lengths }
  }

  setVector(range: GenerationRange, ordinal: number, vector: Float32Array): void {
    this.vectors ??= new PackedVectors(vector.length)
    this.vectors.reserve(this.#numbered)
    const chunk = this.#chunkOf(range, ordinal)
    if (chunk !== undefined) this.vectors.set(chunk, vector)
  }

  apply({ fingerprint, added, postings, removed }: IndexChange): void {
    for (const generation of removed) this.#remove(generation)
    for (const range of added) this.#add(range)
    this.#ranges = [...this.#byGeneration.values()].toSorted((a, b) => a.from - b.from)
    this.#begins = Int32Array.from(this.#ranges, ({ from }) => from)
    this.#stretches = sideBySide(this.#ranges)
    this.languages = [...new Set(this.#ranges.flatMap(({ languages }) => languages))]
    this.#counts.clear()
    this.#noteWords()
    this.#append(postings)
    this.fingerprint = fingerprint
  }

  /** Whether all words of the live chunks are kept: then every term is known. */
  get hasAllWords(): boolean {
    return this.#hasAllWords
  }

  get knowsTerms(): boolean {
    return this.#terms.size > 0
  }

  /** Terms whose postings were asked for. */
  get known(): readonly Term[] {
    return Array.from(this.#terms.values(), ({ term }) => term)
  }

  /** Those of the terms whose postings were not read, each once. */
  unknown(terms: readonly Term[]): Term[] {
    const missing = new Map<string, Term>()
    for (const term of this.#hasAllWords ? [] : terms) {
      const key = keyOf(term.language, term.term)
      if (!this.#terms.has(key)) missing.set(key, term)
    }
    return [...missing.values()]
  }

  /** Keeps all that the live generations have of these terms. */
  learn(terms: readonly Term[], postings: readonly StoredPostings[]): void {
    for (const { term, language } of terms) {
      this.#terms.set(keyOf(language, term), {
        term: { term, language },
        chunks: new Int32Array(0),
        frequencies: new Uint16Array(0),
      })
    }
    this.#append(postings)
  }

  /** Keeps all words of these ranges, whether they are live already or not; their chunks have higher numbers than those before. */
  keepWords(ranges: readonly GenerationRange[], stored: readonly StoredWords[]): void {
    const byGeneration = new Map(ranges.map((range) => [range.generation, range]))
    const listed = stored.filter(({ generation }) => byGeneration.has(generation))
    this.#words.add(listed, (generation, ordinal) => {
      const range = byGeneration.get(generation)
      return range === undefined ? 0 : (this.#chunkOf(range, ordinal) ?? range.from)
    })
    for (const { from } of ranges) this.#worded.add(from)
    this.#noteWords()
  }

  /** Live generations whose words are not kept, in the order of their chunks. */
  get withoutWords(): readonly GenerationRange[] {
    return this.#ranges.filter(({ from }) => !this.#worded.has(from))
  }

  /** Where a term stands. */
  postingsOf(term: Term): Postings {
    const key = keyOf(term.language, term.term)
    const known = this.#terms.get(key)
    if (known === undefined && !this.#hasAllWords) return nowhere
    const stretches = known === undefined ? this.#words.find(term) : [{ ...known, from: 0, to: known.chunks.length }]
    return { stretches, count: this.#countOf(key, stretches) }
  }

  /** Of the chunks in these stretches, how many are live. */
  countLive(stretches: readonly PostingStretch[]): number {
    let count = 0
    for (const { chunks, from, to } of stretches) {
      if (this.#numbered === this.#live) count += to - from
      else for (let at = from; at < to; at++) if ((this.lengths[chunks[at] ?? 0] ?? gone) !== gone) count += 1
    }
    return count
  }

  #countOf(key: string, stretches: readonly PostingStretch[]): number {
    const count = this.#counts.get(key) ?? this.countLive(stretches)
    if (this.#counts.size === mostCounts) this.#counts.clear()
    this.#counts.set(key, count)
    return count
  }

  #forgetTerms(): void {
    this.#terms.clear()
    this.#postingCount = 0
  }

  #noteWords(): void {
    const all = this.#ranges.length > 0 && this.withoutWords.length === 0
    // They have what each term was asked for.
    if (all) this.#forgetTerms()
    this.#hasAllWords = all
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
    this.lengths.fill(gone, range.from, range.to)
  }

  /** What is appended has the highest numbers so far, or is all that a term has. */
  #append(postings: readonly StoredPostings[]): void {
    for (const { language, term, stretches, ordinals, frequencies } of postings) {
      const key = keyOf(language, term)
      const known = this.#terms.get(key)
      if (known === undefined) continue
      const live = this.#placed(stretches, ordinals)
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

  /** The stretches of live generations, in the order of their chunks, with where they begin. */
  #placed(stretches: StoredPostings['stretches'], ordinals: Int32Array) {
    let next = 0
    return stretches
      .flatMap(({ generation, count }) => {
        const at = next
        next += count
        const range = this.#byGeneration.get(generation)
        return range === undefined ? [] : [{ range, at, count }]
      })
      .toSorted((one, other) => one.range.from - other.range.from || (ordinals[one.at] ?? 0) - (ordinals[other.at] ?? 0))
  }

  /** Ordinals are mostly without gaps, and then it is where it should be. */
  #chunkOf({ from, to }: GenerationRange, ordinal: number): number | undefined {
    const likely = from + ordinal - (this.ordinals[from] ?? 0)
    if (likely < to && this.ordinals[likely] === ordinal) return likely
    const found = this.ordinals.subarray(from, to).indexOf(ordinal)
    return found < 0 ? undefined : from + found
  }
}

/** Terms whose counts are remembered. */
const mostCounts = 10_000

const keyOf = (language: string, term: string): string => `${language} ${term}`

function enlarged<T extends Int32Array | Uint16Array>(numbers: T, size: number): T {
  const larger = new (numbers.constructor as new (length: number) => T)(size)
  larger.set(numbers)
  return larger
}
