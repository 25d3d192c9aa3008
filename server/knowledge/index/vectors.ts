import { BinaryVectors } from './binary-vectors.ts'
import { aligned, KernelMemory } from './kernel/kernel.ts'

/** Vectors per call of the kernel. */
const batchSize = 1024
/** Stored vectors per call: each index in memory has a place for them. */
const storedBatchSize = 64
/** The 16-bit number that stands for 1. */
const one = 0x7fff

/** Vectors in a file, numbered from 0, in the format of `FloatVectors`. */
export interface StoredVectors {
  readonly count: number
  /** Fills `into` with the bytes of consecutive vectors. */
  read(first: number, into: Uint8Array): void
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
  readonly #resultsAt: number
  /** Place of a batch of stored vectors. */
  readonly #batchAt: number
  readonly #firstAt: number
  readonly #memory: KernelMemory
  readonly #stored: StoredVectors
  #query: Float32Array | undefined

  constructor(dimensions: number, stored: StoredVectors = noVectors) {
    this.dimensions = dimensions
    this.binary = new BinaryVectors(dimensions)
    this.#stored = stored
    this.bytesEach = bytesOfVector(dimensions)
    this.#resultsAt = this.bytesEach
    this.#batchAt = aligned(this.#resultsAt + 4 * batchSize)
    this.#firstAt = aligned(this.#batchAt + (stored.count > 0 ? storedBatchSize * this.bytesEach : 0))
    this.#memory = new KernelMemory(this.#firstAt)
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength + this.binary.bytes
  }

  /** Makes room for vectors with numbers below `count`. */
  reserve(count: number): void {
    this.#memory.reserve(this.#offsetOf(Math.max(count, this.#stored.count)))
    this.binary.reserve(count)
  }

  /** @param vector of unit length with `dimensions` components */
  set(at: number, vector: Float32Array): void {
    this.#write(this.#offsetOf(at), vector)
    this.binary.set(at, vector)
  }

  /** Returns a stored vector, for example to compare others with it. */
  get(at: number): Float32Array {
    const numbers = new Int16Array(this.#memory.buffer, this.#load(at, 1), this.dimensions)
    const vector = new Float32Array(numbers)
    for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) / one
    return vector
  }

  /** Sets the query that `cosines` and `cosinesOf` compare with. */
  setQuery(query: Float32Array): void {
    if (query === this.#query) return
    this.#write(0, query)
    this.#query = query
  }

  /** Writes the cosines of the vectors `from` to `to` (exclusive) to `into`, each at its number. */
  cosines(from: number, to: number, into: Float32Array): void {
    for (const [first, count] of this.#batches(from, to)) {
      this.#memory.kernel.dots(0, this.#load(first, count), this.bytesEach, count, this.#resultsAt, 1 / (one * one))
      into.set(new Float32Array(this.#memory.buffer, this.#resultsAt, count), first)
    }
  }

  /** Writes the cosines of the selected vectors to `into`, each at its number. */
  cosinesOf(selected: Uint32Array, into: Float32Array): void {
    const offsets = new Uint32Array(this.#memory.buffer, this.#resultsAt, batchSize)
    const cosines = new Float32Array(this.#memory.buffer, this.#resultsAt, batchSize)
    const atOnce = this.#stored.count > 0 ? storedBatchSize : batchSize
    for (let from = 0; from < selected.length; from += atOnce) {
      const count = Math.min(selected.length - from, atOnce)
      for (let each = 0; each < count;) {
        const first = selected[from + each] ?? 0
        if (first >= this.#stored.count) {
          offsets[each++] = this.#offsetOf(first)
          continue
        }
        // Neighbours are read at once.
        let run = 1
        while (each + run < count && selected[from + each + run] === first + run && first + run < this.#stored.count) run++
        let offset = this.#load(first, run, each)
        for (const end = each + run; each < end; offset += this.bytesEach) offsets[each++] = offset
      }
      this.#memory.kernel.dotsAt(0, this.#resultsAt, this.bytesEach, count, 1 / (one * one))
      for (let each = 0; each < count; each++) into[selected[from + each] ?? 0] = cosines[each] ?? 0
    }
  }

  /** Returns the bytes of vectors in memory, `from` to `to` (exclusive), to fill before the next `reserve`. */
  bytesOf(from: number, to: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#offsetOf(from), (to - from) * this.bytesEach)
  }

  /** Returns copies of the vectors `from` to `to` (exclusive), in batches. */
  *copies(from: number, to: number): Generator<Uint8Array> {
    for (const [first, count] of this.#batches(from, to))
      yield new Uint8Array(this.#memory.buffer, this.#load(first, count), count * this.bytesEach).slice()
  }

  /** Divides vectors into batches whose vectors are all in memory, or all stored. */
  *#batches(from: number, to: number): Generator<[first: number, count: number]> {
    for (let first = from; first < to;) {
      const count =
        first < this.#stored.count ? Math.min(to - first, storedBatchSize, this.#stored.count - first) : Math.min(to - first, batchSize)
      yield [first, count]
      first += count
    }
  }

  /** Returns the offset of consecutive vectors. Stored ones are read to a place of the batch, where the next call overwrites them. */
  #load(first: number, count: number, place = 0): number {
    if (first >= this.#stored.count) return this.#offsetOf(first)
    const offset = this.#batchAt + place * this.bytesEach
    this.#stored.read(first, new Uint8Array(this.#memory.buffer, offset, count * this.bytesEach))
    return offset
  }

  #write(offset: number, vector: Float32Array): void {
    const numbers = new Int16Array(this.#memory.buffer, offset, this.bytesEach / 2)
    for (let index = 0; index < vector.length; index++)
      numbers[index] = Math.max(-one, Math.min(one, Math.round((vector[index] ?? 0) * one)))
  }

  #offsetOf(at: number): number {
    return this.#firstAt + (at - this.#stored.count) * this.bytesEach
  }
}

const noVectors: StoredVectors = { count: 0, read: () => undefined }

/** Returns the size of a vector, a multiple of the 32 bytes that the kernel reads at once. */
export const bytesOfVector = (dimensions: number): number => Math.ceil(dimensions / 16) * 32
