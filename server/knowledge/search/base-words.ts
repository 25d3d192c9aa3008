import type { Term } from './base-index.ts'
import { firstNotLess } from './first-not-less.ts'
import type { PostingStretch } from './postings.ts'

/** The words of the chunks of one generation and language, as they are stored: one behind the other. */
export interface StoredWords {
  readonly generation: number
  readonly language: string
  readonly terms: readonly string[]
  /** Of each term, how many entries are its. */
  readonly counts: readonly number[]
  readonly ordinals: Int32Array
  readonly frequencies: Int32Array
}

/** The number of the chunk at a place of its generation. */
export type NumberOf = (generation: number, ordinal: number) => number

/** Entries of one list at most: two are joined while a search waits. */
const listUpTo = 2 ** 20

/** Where all words of a base's chunks stand. */
export class BaseWords {
  readonly #lists: WordList[] = []

  get bytes(): number {
    return this.#lists.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Adds words of chunks that have higher numbers than those before. */
  add(stored: readonly StoredWords[], numberOf: NumberOf): void {
    this.#lists.push(listOf(stored, numberOf))
    for (;;) {
      const [one, other] = this.#lists.slice(-2)
      if (one === undefined || other === undefined || one.size > 2 * other.size || one.size + other.size > listUpTo) return
      this.#lists.splice(-2, 2, joined(one, other))
    }
  }

  /** Where a term stands, also in chunks that are gone. */
  find({ language, term }: Term): PostingStretch[] {
    const hash = hashOf(language, term)
    return this.#lists.flatMap((list) => list.find(hash) ?? [])
  }
}

/** Words by a hash of 53 bits, ascending, in 12 bytes a word and 6 an entry. */
class WordList {
  readonly hashes: Float64Array
  /** Where the entries of each word end. */
  readonly ends: Uint32Array
  /** Of each word ascending. */
  readonly chunks: Int32Array
  readonly frequencies: Uint16Array

  constructor(hashes: Float64Array, ends: Uint32Array, entries: number) {
    this.hashes = hashes
    this.ends = ends
    this.chunks = new Int32Array(entries)
    this.frequencies = new Uint16Array(entries)
  }

  get size(): number {
    return this.chunks.length
  }

  get bytes(): number {
    return this.hashes.byteLength + this.ends.byteLength + this.chunks.byteLength + this.frequencies.byteLength
  }

  find(hash: number): PostingStretch | undefined {
    const at = firstNotLess(this.hashes, hash)
    if (this.hashes[at] !== hash) return undefined
    return { chunks: this.chunks, frequencies: this.frequencies, from: this.from(at), to: this.ends[at] ?? 0 }
  }

  /** Where the entries of a word begin. */
  from(at: number): number {
    return at === 0 ? 0 : (this.ends[at - 1] ?? 0)
  }
}

function listOf(stored: readonly StoredWords[], numberOf: NumberOf): WordList {
  const hashed = stored.map(({ language, terms }) => Float64Array.from(terms, (term) => hashOf(language, term)))
  const hashes = distinct(hashed)
  const next = new Uint32Array(hashes.length + 1)
  const places = hashed.map((some) => Int32Array.from(some, (hash) => firstNotLess(hashes, hash)))
  for (const [part, { counts }] of stored.entries())
    for (const [at, count] of counts.entries()) next[(places[part]?.[at] ?? 0) + 1] = (next[(places[part]?.[at] ?? 0) + 1] ?? 0) + count
  for (let at = 1; at < next.length; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0)
  const list = new WordList(hashes, next.slice(1), next.at(-1) ?? 0)
  const unordered = new Set<number>()
  for (const [part, { generation, counts, ordinals, frequencies }] of stored.entries()) {
    let entry = 0
    for (const [at, count] of counts.entries()) {
      const place = places[part]?.[at] ?? 0
      for (const last = entry + count; entry < last; entry++) {
        const end = next[place] ?? 0
        const chunk = numberOf(generation, ordinals[entry] ?? 0)
        if (end > list.from(place) && (list.chunks[end - 1] ?? 0) > chunk) unordered.add(place)
        list.chunks[end] = chunk
        list.frequencies[end] = frequencies[entry] ?? 0
        next[place] = end + 1
      }
    }
  }
  // What was written in batches comes in no order.
  for (const place of unordered) order(list, place)
  return list
}

function distinct(hashed: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(hashed.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const some of hashed) {
    all.set(some, end)
    end += some.length
  }
  all.sort()
  return all.filter((hash, at) => at === 0 || hash !== all[at - 1])
}

function order(list: WordList, place: number): void {
  const [from, to] = [list.from(place), list.ends[place] ?? 0]
  const { chunks, frequencies } = { chunks: list.chunks.slice(from, to), frequencies: list.frequencies.slice(from, to) }
  const ordered = Array.from(chunks.keys()).toSorted((one, other) => (chunks[one] ?? 0) - (chunks[other] ?? 0))
  for (const [at, former] of ordered.entries()) {
    list.chunks[from + at] = chunks[former] ?? 0
    list.frequencies[from + at] = frequencies[former] ?? 0
  }
}

/** Two lists as one; the chunks of the other one have higher numbers. */
function joined(one: WordList, other: WordList): WordList {
  const hashes = distinct([one.hashes, other.hashes])
  const list = new WordList(hashes, new Uint32Array(hashes.length), one.size + other.size)
  const taken = [0, 0]
  let end = 0
  for (let place = 0; place < hashes.length; place++) {
    for (const [which, source] of [one, other].entries()) {
      const at = taken[which] ?? 0
      if (source.hashes[at] !== hashes[place]) continue
      for (let entry = source.from(at), last = source.ends[at] ?? 0; entry < last; entry++, end++) {
        list.chunks[end] = source.chunks[entry] ?? 0
        list.frequencies[end] = source.frequencies[entry] ?? 0
      }
      taken[which] = at + 1
    }
    list.ends[place] = end
  }
  return list
}

/** Two sums in the manner of Fowler, Noll and Vo, of different beginnings. */
function hashOf(language: string, term: string): number {
  let [one, other] = [0x811c9dc5, 0x9747b28c]
  for (const text of [language, ' ', term]) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      one = Math.imul(one ^ unit, 0x01000193)
      other = Math.imul(other ^ unit, 0x5bd1e995)
      other ^= other >>> 13
    }
  }
  return (one >>> 11) * 2 ** 32 + (other >>> 0)
}
