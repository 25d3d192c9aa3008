import { crc32 } from 'node:zlib'
import type { Term } from './base-index.ts'
import { lowerBound } from './lower-bound.ts'
import { UnreadableIndexFile, wrongChecksum } from './positioned-file.ts'
import { newEntries, type EntryAllocator, type PostingEntries, type PostingRange } from './postings.ts'

/** The stored postings of one generation in one language, term after term. */
export interface StoredTerms {
  readonly generation: number
  readonly language: string
  readonly terms: readonly string[]
  /** Number of entries of each term. */
  readonly counts: readonly number[]
  readonly ordinals: Int32Array
  readonly frequencies: Int32Array
}

/** Returns the number of the chunk at an ordinal of its generation. */
export type ChunkNumberOf = (generation: number, ordinal: number) => number

/** Maximum entries of a segment: two segments are merged while a search waits. */
const maxSegmentEntries = 2 ** 20

/** The inverted index of a knowledge base: for each term, the chunks that contain it. */
export class InvertedIndex {
  readonly #segments: Segment[]

  constructor(segments: readonly Segment[] = []) {
    this.#segments = [...segments]
  }

  /** Its parts, by ascending chunk numbers. They never change. */
  get segments(): readonly Segment[] {
    return [...this.#segments]
  }

  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Adds the postings of chunks with higher numbers than all chunks before. */
  add(stored: readonly StoredTerms[], numberOf: ChunkNumberOf): void {
    this.#segments.push(segmentOf(stored, numberOf))
    for (;;) {
      const [one, other] = this.#segments.slice(-2)
      if (!(one instanceof MemorySegment && other instanceof MemorySegment)) return
      if (one.size > 2 * other.size || one.size + other.size > maxSegmentEntries) return
      this.#segments.splice(-2, 2, mergeSegments(one, other))
    }
  }

  /** Returns the postings of a term, including those of deleted chunks; those of a file in the arrays of `allocate`. */
  find({ language, term }: Term, allocate: EntryAllocator = newEntries): PostingRange[] {
    const hash = hashOf(language, term)
    return this.#segments.flatMap((segment) => segment.find(hash, allocate) ?? [])
  }
}

/** Postings of terms in ascending order of a 53-bit hash. */
export type Segment = MemorySegment | StoredSegment

/** Postings in memory: 12 bytes per term and 6 per entry. */
export class MemorySegment {
  readonly hashes: Float64Array
  /** The end of each term's entries. */
  readonly ends: Uint32Array
  /** Chunk numbers, ascending within each term. */
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

  find(hash: number): PostingRange | undefined {
    const at = lowerBound(this.hashes, hash)
    if (this.hashes[at] !== hash) return undefined
    return { chunks: this.chunks, frequencies: this.frequencies, from: this.startOf(at), to: this.ends[at] ?? 0 }
  }

  /** The start of a term's entries. */
  startOf(at: number): number {
    return startOf(this.ends, at)
  }

  /** Yields the postings of each term, in the order of the hashes. */
  *inOrder(): Generator<PostingRange> {
    const { chunks, frequencies } = this
    for (const [at, to] of this.ends.entries()) yield { chunks, frequencies, from: this.startOf(at), to }
  }
}

/** The start of a term's entries. */
const startOf = (ends: Uint32Array, at: number): number => (at === 0 ? 0 : (ends[at - 1] ?? 0))

/** Postings in a file, from which a search reads those of its terms: 16 bytes per term in memory. */
export class StoredSegment {
  readonly hashes: Float64Array
  readonly ends: Uint32Array
  readonly #checksums: Uint32Array
  readonly #read: (from: number, into: PostingEntries) => void

  /**
   * @param checksums `checksumOf` the entries of each term
   * @param read fills arrays with the entries from a position
   */
  constructor({ hashes, ends, checksums }: SegmentTerms, read: (from: number, into: PostingEntries) => void) {
    this.hashes = hashes
    this.ends = ends
    this.#checksums = checksums
    this.#read = read
  }

  get size(): number {
    return this.ends.at(-1) ?? 0
  }

  get bytes(): number {
    return this.hashes.byteLength + this.ends.byteLength + this.#checksums.byteLength
  }

  /** @throws UnreadableIndexFile if the entries have another checksum */
  find(hash: number, allocate: EntryAllocator): PostingRange | undefined {
    const at = lowerBound(this.hashes, hash)
    if (this.hashes[at] !== hash) return undefined
    const from = startOf(this.ends, at)
    const entries = allocate((this.ends[at] ?? from) - from)
    this.#read(from, entries)
    if (checksumOf(entries) !== this.#checksums[at]) throw new UnreadableIndexFile(wrongChecksum)
    return { ...entries, from: 0, to: entries.chunks.length }
  }

  /**
   * Yields the postings of each term, in the order of the hashes.
   * @throws UnreadableIndexFile if the entries of a term have another checksum
   */
  *inOrder(): Generator<PostingRange> {
    for (let first = 0; first < this.ends.length;) {
      const start = startOf(this.ends, first)
      let last = first
      while ((this.ends[last + 1] ?? Number.POSITIVE_INFINITY) <= start + maxEntriesRead) last += 1
      const { chunks, frequencies } = newEntries((this.ends[last] ?? start) - start)
      this.#read(start, { chunks, frequencies })
      for (; first <= last; first++) {
        const [from, to] = [startOf(this.ends, first) - start, (this.ends[first] ?? start) - start]
        const entries = { chunks: chunks.subarray(from, to), frequencies: frequencies.subarray(from, to) }
        if (checksumOf(entries) !== this.#checksums[first]) throw new UnreadableIndexFile(wrongChecksum)
        yield { chunks, frequencies, from, to }
      }
    }
  }
}

/** Entries of a stored segment that are read at once, unless a term has more. */
const maxEntriesRead = 2 ** 18

/** The terms of a segment in a file. */
export interface SegmentTerms extends Pick<MemorySegment, 'hashes' | 'ends'> {
  readonly checksums: Uint32Array
}

/** Returns the checksum of the entries of a term: of the chunks, continued by the frequencies. */
const checksumOf = ({ chunks, frequencies }: PostingEntries): number => crc32(bytesOf(frequencies), crc32(bytesOf(chunks)))

/** Returns a longer copy of numbers, with zeros behind them. */
export function enlarged<T extends Int32Array | Uint16Array>(numbers: T, size: number): T {
  const larger = new (numbers.constructor as new (length: number) => T)(size)
  larger.set(numbers)
  return larger
}

/** Returns the memory of numbers as bytes. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength)

/** A term with the entries of all segments. */
export interface MergedTerm extends PostingEntries {
  readonly hash: number
}

/**
 * Merges segments: yields their terms in ascending order of the hashes, without the entries of removed chunks. The arrays of a term are
 * overwritten by the next one.
 * @param segments by ascending chunk numbers
 * @param numbers the new number of each chunk, ascending; negative for removed chunks
 */
export function* mergedTerms(segments: readonly Segment[], numbers: Int32Array): Generator<MergedTerm> {
  const sources = segments.map((segment) => ({ hashes: segment.hashes, at: 0, postings: segment.inOrder() }))
  let [chunks, frequencies] = [new Int32Array(0), new Uint16Array(0)]
  for (;;) {
    let hash = Number.POSITIVE_INFINITY
    for (const { hashes, at } of sources) hash = Math.min(hash, hashes[at] ?? Number.POSITIVE_INFINITY)
    if (hash === Number.POSITIVE_INFINITY) return
    let size = 0
    for (const source of sources) {
      if (source.hashes[source.at] !== hash) continue
      source.at += 1
      const { value } = source.postings.next()
      if (value === undefined) continue
      const { from, to } = value
      if (size + to - from > chunks.length) {
        chunks = enlarged(chunks, 2 * (size + to - from))
        frequencies = enlarged(frequencies, chunks.length)
      }
      for (let entry = from; entry < to; entry++) {
        const chunk = numbers[value.chunks[entry] ?? 0] ?? -1
        if (chunk < 0) continue
        chunks[size] = chunk
        frequencies[size++] = value.frequencies[entry] ?? 0
      }
    }
    if (size > 0) yield { hash, chunks: chunks.subarray(0, size), frequencies: frequencies.subarray(0, size) }
  }
}

function segmentOf(stored: readonly StoredTerms[], numberOf: ChunkNumberOf): MemorySegment {
  const hashed = stored.map(({ language, terms }) => Float64Array.from(terms, (term) => hashOf(language, term)))
  const hashes = distinct(hashed)
  const next = new Uint32Array(hashes.length + 1)
  const places = hashed.map((some) => Int32Array.from(some, (hash) => lowerBound(hashes, hash)))
  for (const [part, { counts }] of stored.entries())
    for (const [at, count] of counts.entries()) next[(places[part]?.[at] ?? 0) + 1] = (next[(places[part]?.[at] ?? 0) + 1] ?? 0) + count
  for (let at = 1; at < next.length; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0)
  const segment = new MemorySegment(hashes, next.slice(1), next.at(-1) ?? 0)
  const unordered = new Set<number>()
  for (const [part, { generation, counts, ordinals, frequencies }] of stored.entries()) {
    let entry = 0
    for (const [at, count] of counts.entries()) {
      const place = places[part]?.[at] ?? 0
      for (const last = entry + count; entry < last; entry++) {
        const end = next[place] ?? 0
        const chunk = numberOf(generation, ordinals[entry] ?? 0)
        if (end > segment.startOf(place) && (segment.chunks[end - 1] ?? 0) > chunk) unordered.add(place)
        segment.chunks[end] = chunk
        segment.frequencies[end] = frequencies[entry] ?? 0
        next[place] = end + 1
      }
    }
  }
  // Entries that were written in several batches are not in order.
  for (const place of unordered) sortEntries(segment, place)
  return segment
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

function sortEntries(segment: MemorySegment, place: number): void {
  const [from, to] = [segment.startOf(place), segment.ends[place] ?? 0]
  const { chunks, frequencies } = { chunks: segment.chunks.slice(from, to), frequencies: segment.frequencies.slice(from, to) }
  const ordered = Array.from(chunks.keys()).toSorted((one, other) => (chunks[one] ?? 0) - (chunks[other] ?? 0))
  for (const [at, former] of ordered.entries()) {
    segment.chunks[from + at] = chunks[former] ?? 0
    segment.frequencies[from + at] = frequencies[former] ?? 0
  }
}

/** Merges two segments; the chunks of `other` have higher numbers. */
function mergeSegments(one: MemorySegment, other: MemorySegment): MemorySegment {
  const hashes = distinct([one.hashes, other.hashes])
  const segment = new MemorySegment(hashes, new Uint32Array(hashes.length), one.size + other.size)
  const taken = [0, 0]
  let end = 0
  for (let place = 0; place < hashes.length; place++) {
    for (const [which, source] of [one, other].entries()) {
      const at = taken[which] ?? 0
      if (source.hashes[at] !== hashes[place]) continue
      for (let entry = source.startOf(at), last = source.ends[at] ?? 0; entry < last; entry++, end++) {
        segment.chunks[end] = source.chunks[entry] ?? 0
        segment.frequencies[end] = source.frequencies[entry] ?? 0
      }
      taken[which] = at + 1
    }
    segment.ends[place] = end
  }
  return segment
}

/** Combines two FNV-1a hashes with different offset bases (Fowler, Noll and Vo). */
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
