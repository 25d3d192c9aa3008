import { BinaryVectors } from './binary-vectors.ts'
import { aligned, KernelMemory } from './kernel/kernel.ts'

/** Vectors per call of the kernel. */
const batchSize = 1024
/** The 16-bit number that stands for 1. */
const one = 0x7fff

/** Vectors of unit length in memory, numbered from 0. Components are 16-bit integers, so a cosine is exact to about 2e-5. */
export class FloatVectors {
  readonly dimensions: number
  /** Binary-quantized copies: they approximate cosines in a fraction of the time. */
  readonly binary: BinaryVectors
  readonly #bytesEach: number
  readonly #resultsAt: number
  readonly #firstAt: number
  readonly #memory: KernelMemory
  #query: Float32Array | undefined

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.binary = new BinaryVectors(dimensions)
    this.#bytesEach = Math.ceil(dimensions / 16) * 32
    this.#resultsAt = this.#bytesEach
    this.#firstAt = aligned(this.#resultsAt + 4 * batchSize)
    this.#memory = new KernelMemory(this.#firstAt)
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength + this.binary.bytes
  }

  /** Makes room for vectors with numbers below `count`. */
  reserve(count: number): void {
    this.#memory.reserve(this.#offsetOf(count))
    this.binary.reserve(count)
  }

  /** @param vector of unit length with `dimensions` components */
  set(at: number, vector: Float32Array): void {
    this.#write(this.#offsetOf(at), vector)
    this.binary.set(at, vector)
  }

  /** Returns a stored vector, for example to compare others with it. */
  get(at: number): Float32Array {
    const numbers = new Int16Array(this.#memory.buffer, this.#offsetOf(at), this.dimensions)
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
    for (let first = from; first < to; first += batchSize) {
      const count = Math.min(to - first, batchSize)
      this.#memory.kernel.dots(0, this.#offsetOf(first), this.#bytesEach, count, this.#resultsAt, 1 / (one * one))
      into.set(new Float32Array(this.#memory.buffer, this.#resultsAt, count), first)
    }
  }

  /** Writes the cosines of the selected vectors to `into`, each at its number. */
  cosinesOf(selected: Uint32Array, into: Float32Array): void {
    const offsets = new Uint32Array(this.#memory.buffer, this.#resultsAt, batchSize)
    const cosines = new Float32Array(this.#memory.buffer, this.#resultsAt, batchSize)
    for (let from = 0; from < selected.length; from += batchSize) {
      const count = Math.min(selected.length - from, batchSize)
      for (let each = 0; each < count; each++) offsets[each] = this.#offsetOf(selected[from + each] ?? 0)
      this.#memory.kernel.dotsAt(0, this.#resultsAt, this.#bytesEach, count, 1 / (one * one))
      for (let each = 0; each < count; each++) into[selected[from + each] ?? 0] = cosines[each] ?? 0
    }
  }

  /** Returns the bytes of the vectors `from` to `to` (exclusive), to copy or fill before the next `reserve`. */
  bytesOf(from: number, to: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#offsetOf(from), (to - from) * this.#bytesEach)
  }

  #write(offset: number, vector: Float32Array): void {
    const numbers = new Int16Array(this.#memory.buffer, offset, this.#bytesEach / 2)
    for (let index = 0; index < vector.length; index++)
      numbers[index] = Math.max(-one, Math.min(one, Math.round((vector[index] ?? 0) * one)))
  }

  #offsetOf(at: number): number {
    return this.#firstAt + at * this.#bytesEach
  }
}
