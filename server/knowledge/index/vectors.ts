import { BinaryVectors } from './binary-vectors.ts'
import { aligned, KernelMemory } from './kernel/kernel.ts'
import { lowerBound } from './lower-bound.ts'

/** Vectors per call of the kernel. */
const batchSize = 1024
/** Consecutive stored vectors per call: each index has a place for them. */
const storedBatchSize = 64
/** Selected stored vectors that are read at once: more than the candidates of a search. */
const maxSelectedStored = 1_536
/** The 16-bit number that stands for 1. */
const one = 0x7fff
/** A WebAssembly memory has at most 4 GiB. */
const maxBlockBytes = 2 ** 31

/** Vectors in a file, numbered from 0, in the format of `FloatVectors`. */
export interface StoredVectors {
  readonly count: number
  /** Fills `into` with the bytes of consecutive vectors. */
  read(first: number, into: Uint8Array): void
}

export interface FloatVectorsOptions {
  readonly stored?: StoredVectors | undefined
  /** Size of one memory. Larger indexes have several. */
  readonly blockBytes?: number
}

/**
 * Vectors of unit length, numbered from 0. Components are 16-bit integers, so a cosine is exact to about 2e-5. They are in memory,
 * or the first of them in a file, from which a search reads those that it compares.
 */
export class FloatVectors {
  readonly dimensions: number
  /** Binary-quantized copies: they approximate cosines in a fraction of the time. */
  readonly binary: BinaryVectors
  readonly bytesEach: number
  readonly #stored: StoredVectors
  /** Place of a batch of stored vectors. */
  readonly #batch: VectorBlock
  /** The vectors in memory, each block but the last with `#perBlock` of them. */
  readonly #blocks: VectorBlock[] = []
  readonly #perBlock: number
  readonly #identity = {}
  #query: Float32Array | undefined

  constructor(dimensions: number, { stored = noVectors, blockBytes = maxBlockBytes }: FloatVectorsOptions = {}) {
    this.dimensions = dimensions
    this.binary = new BinaryVectors(dimensions)
    this.#stored = stored
    this.bytesEach = bytesOfVector(dimensions)
    this.#perBlock = Math.max(1, Math.floor(blockBytes / this.bytesEach))
    this.#batch = new VectorBlock(this.bytesEach)
    if (stored.count > 0) this.#batch.reserve(storedBatchSize)
    // Most indexes need one memory.
    else this.#blocks.push(this.#batch)
  }

  get bytes(): number {
    return [...new Set([this.#batch, ...this.#blocks])].reduce((sum, { bytes }) => sum + bytes, this.binary.bytes)
  }

  /** Makes room for vectors with numbers below `count`. */
  reserve(count: number): void {
    const inMemory = Math.max(0, count - this.#stored.count)
    for (let index = 0; index * this.#perBlock < inMemory; index++)
      this.#block(index).reserve(Math.min(this.#perBlock, inMemory - index * this.#perBlock))
    this.binary.reserve(count)
  }

  /** @param vector of unit length with `dimensions` components */
  set(at: number, vector: Float32Array): void {
    const [block, place] = this.#placeOf(at)
    block.write(place, vector)
    this.binary.set(at, vector)
  }

  /** Returns a stored vector, for example to compare others with it. */
  get(at: number): Float32Array {
    const [block, place] = this.#load(at, 1)
    const vector = new Float32Array(block.numbers(place).subarray(0, this.dimensions))
    for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) / one
    return vector
  }

  /** Sets the query that `cosines` and `cosinesOf` compare with. */
  setQuery(query: Float32Array): void {
    if (query === this.#query) return
    this.#query = query
    for (const block of new Set([this.#batch, ...this.#blocks])) block.setQuery(query)
  }

  /** Writes the cosines of the vectors `from` to `to` (exclusive) to `into`, each at its number. */
  cosines(from: number, to: number, into: Float32Array): void {
    for (const [first, count] of this.#batches(from, to)) {
      const [block, place] = this.#load(first, count)
      into.set(block.cosines(place, count), first)
    }
  }

  /**
   * Writes the cosines of the selected vectors to `into`, each at its number.
   * @param selected ascending, unless all vectors are in memory
   */
  cosinesOf(selected: Uint32Array, into: Float32Array): void {
    const stored = lowerBound(selected, this.#stored.count)
    for (let from = 0; from < stored; from += maxSelectedStored)
      this.#compareStored(selected.subarray(from, Math.min(from + maxSelectedStored, stored)), into)
    for (let from = stored; from < selected.length;) {
      const to = this.#pointAtSelected(selected, from)
      const [block] = this.#placeOf(selected[from] ?? 0)
      const cosines = block.cosinesOfTargets(to - from)
      for (let each = from; each < to; each++) into[selected[each] ?? 0] = cosines[each - from] ?? 0
      from = to
    }
  }

  /** Returns the bytes of vectors in memory, `from` to `to` (exclusive), in order, to fill before the next `reserve`. */
  *bytesOf(from: number, to: number): Generator<Uint8Array> {
    for (let first = from; first < to;) {
      const [block, place] = this.#placeOf(first)
      const count = Math.min(to - first, this.#perBlock - place)
      yield block.bytesAt(place, count)
      first += count
    }
  }

  /** Returns copies of the vectors `from` to `to` (exclusive), in batches. */
  *copies(from: number, to: number): Generator<Uint8Array> {
    for (const [first, count] of this.#batches(from, to)) {
      const [block, place] = this.#load(first, count)
      yield block.bytesAt(place, count).slice()
    }
  }

  /** Divides vectors into batches whose vectors are all stored, or all in one block. */
  *#batches(from: number, to: number): Generator<[first: number, count: number]> {
    for (let first = from; first < to;) {
      const isStored = first < this.#stored.count
      const left = isStored ? this.#stored.count - first : this.#perBlock - this.#placeOf(first)[1]
      const count = Math.min(to - first, left, isStored ? storedBatchSize : batchSize)
      yield [first, count]
      first += count
    }
  }

  /** Returns the place of consecutive vectors of a batch. Stored ones are read to it, where the next call overwrites them. */
  #load(first: number, count: number): [VectorBlock, place: number] {
    if (first >= this.#stored.count) return this.#placeOf(first)
    this.#stored.read(first, this.#batch.bytesAt(0, count))
    return [this.#batch, 0]
  }

  /** Does the same as `cosinesOf` for at most `maxSelectedStored` stored vectors. */
  #compareStored(selected: Uint32Array, into: Float32Array): void {
    if (lastRead?.owner !== this.#identity || !isSubset(selected, lastRead.numbers)) lastRead = this.#readSelected(selected)
    const { block, numbers } = lastRead
    if (this.#query !== undefined) block.setQuery(this.#query)
    let place = 0
    for (let from = 0; from < selected.length; from += batchSize) {
      const count = Math.min(batchSize, selected.length - from)
      const targets = block.targets()
      for (let each = 0; each < count; each++, place++) {
        while (numbers[place] !== selected[from + each]) place++
        targets[each] = block.offsetOf(place)
      }
      const cosines = block.cosinesOfTargets(count)
      for (let each = 0; each < count; each++) into[selected[from + each] ?? 0] = cosines[each] ?? 0
    }
  }

  #readSelected(selected: Uint32Array): ReadVectors {
    const block = lastRead?.block.bytesEach === this.bytesEach ? lastRead.block : new VectorBlock(this.bytesEach)
    // A read that fails leaves some of the vectors.
    lastRead = undefined
    block.reserve(maxSelectedStored)
    for (let at = 0; at < selected.length;) {
      const first = selected[at] ?? 0
      // Neighbours are read at once.
      let run = 1
      while (selected[at + run] === first + run) run++
      this.#stored.read(first, block.bytesAt(at, run))
      at += run
    }
    return { owner: this.#identity, numbers: selected.slice(), block }
  }

  /** Sets vectors in memory, beginning with `selected[from]`, as the next targets. Returns the end of those in the same block. */
  #pointAtSelected(selected: Uint32Array, from: number): number {
    const number = (selected[from] ?? 0) - this.#stored.count
    const index = Math.floor(number / this.#perBlock)
    const block = this.#block(index)
    const blockStart = this.#stored.count + index * this.#perBlock
    const end = Math.min(selected.length, from + batchSize)
    const targets = block.targets()
    for (let at = from; at < end; at++) {
      const place = (selected[at] ?? 0) - blockStart
      if (place < 0 || place >= this.#perBlock) return at
      targets[at - from] = block.offsetOf(place)
    }
    return end
  }

  #placeOf(at: number): [VectorBlock, place: number] {
    const number = at - this.#stored.count
    return [this.#block(Math.floor(number / this.#perBlock)), number % this.#perBlock]
  }

  #block(index: number): VectorBlock {
    const known = this.#blocks[index]
    if (known !== undefined) return known
    const block = new VectorBlock(this.bytesEach)
    if (this.#query !== undefined) block.setQuery(this.#query)
    this.#blocks.push(block)
    return block
  }
}

/** Selected stored vectors. */
interface ReadVectors {
  /** The `#identity` of their `FloatVectors`, which it does not keep in memory. */
  readonly owner: object
  /** Ascending; the places in the block are in this order. */
  readonly numbers: Uint32Array
  readonly block: VectorBlock
}

/**
 * The stored vectors that were read last. Many candidates of a search are compared three times: with the query, and with two feedback
 * documents. All indexes of a thread share the memory, since a search is done with it before it awaits anything.
 */
let lastRead: ReadVectors | undefined

/** Returns whether all of these ascending numbers are among others. */
function isSubset(some: Uint32Array, all: Uint32Array): boolean {
  let at = 0
  for (const number of some) {
    while (at < all.length && (all[at] ?? 0) < number) at++
    if (all[at] !== number) return false
  }
  return true
}

/** Some of the vectors, with a query and room for the results of a batch, in a memory of their own. */
class VectorBlock {
  readonly #memory: KernelMemory
  readonly bytesEach: number
  readonly #resultsAt: number
  readonly #firstAt: number

  constructor(bytesEach: number) {
    this.bytesEach = bytesEach
    this.#resultsAt = bytesEach
    this.#firstAt = aligned(this.#resultsAt + 4 * batchSize)
    this.#memory = new KernelMemory(this.#firstAt)
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  reserve(count: number): void {
    this.#memory.reserve(this.offsetOf(count))
  }

  setQuery(query: Float32Array): void {
    fill(new Int16Array(this.#memory.buffer, 0, this.bytesEach / 2), query)
  }

  write(place: number, vector: Float32Array): void {
    fill(this.numbers(place), vector)
  }

  numbers(place: number): Int16Array {
    return new Int16Array(this.#memory.buffer, this.offsetOf(place), this.bytesEach / 2)
  }

  bytesAt(place: number, count: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.offsetOf(place), count * this.bytesEach)
  }

  /** Returns the cosines of consecutive vectors, until the next call. */
  cosines(place: number, count: number): Float32Array {
    this.#memory.kernel.dots(0, this.offsetOf(place), this.bytesEach, count, this.#resultsAt, 1 / (one * one))
    return new Float32Array(this.#memory.buffer, this.#resultsAt, count)
  }

  /** Returns the offsets of the vectors of `cosinesOfTargets`, to fill at once. */
  targets(): Uint32Array {
    return new Uint32Array(this.#memory.buffer, this.#resultsAt, batchSize)
  }

  /** Returns the cosines of the first targets, until the next call. */
  cosinesOfTargets(count: number): Float32Array {
    this.#memory.kernel.dotsAt(0, this.#resultsAt, this.bytesEach, count, 1 / (one * one))
    return new Float32Array(this.#memory.buffer, this.#resultsAt, count)
  }

  offsetOf(place: number): number {
    return this.#firstAt + place * this.bytesEach
  }
}

/** Fills the numbers with the components of a vector. */
function fill(numbers: Int16Array, vector: Float32Array): void {
  for (let index = 0; index < vector.length; index++) numbers[index] = Math.max(-one, Math.min(one, Math.round((vector[index] ?? 0) * one)))
}

const noVectors: StoredVectors = { count: 0, read: () => undefined }

/** Returns the size of a vector, a multiple of the 32 bytes that the kernel reads at once. */
export const bytesOfVector = (dimensions: number): number => Math.ceil(dimensions / 16) * 32
