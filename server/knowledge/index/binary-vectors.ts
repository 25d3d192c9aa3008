import { aligned, KernelMemory } from './kernel/kernel.ts'
import type { ScratchBuffers } from './scratch-buffers.ts'

/** Distances are less than this. */
export const maxDistance = 4096

/** Vectors per batch of BM25 scores or selected numbers. */
const batchSize = 1024
/** Distances that the kernel processes at once. */
const simdLanes = 8

/** A range of vector numbers. */
interface NumberRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/**
 * Binary-quantized vectors, the sign bit of each component, numbered from 0; and the distance of each vector from the last
 * query. Vectors are contiguous, followed by the distances, so a scan of a large knowledge base runs at memory bandwidth.
 */
export class BinaryVectors {
  readonly dimensions: number
  readonly bytesEach: number
  readonly #tableAt: number
  readonly #scoresAt: number
  readonly #countsAt: number
  readonly #selectedAt: number
  readonly #firstAt: number
  readonly #memory: KernelMemory
  #capacity = 0

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.bytesEach = Math.ceil(dimensions / 192) * 24
    this.#tableAt = this.bytesEach
    this.#scoresAt = aligned(this.#tableAt + 2 * (dimensions + 1))
    this.#countsAt = this.#scoresAt + 4 * (batchSize + simdLanes)
    this.#selectedAt = this.#countsAt + 4 * maxDistance
    this.#firstAt = aligned(this.#selectedAt + 4 * batchSize)
    this.#memory = new KernelMemory(this.#firstAt)
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  /** Makes room for vectors with numbers below `count`. Distances are lost. */
  reserve(count: number): void {
    if (count <= this.#capacity) return
    this.#capacity = Math.ceil(count / batchSize) * batchSize
    this.#memory.reserve(this.#distanceAt(this.#capacity + simdLanes))
  }

  set(at: number, vector: Float32Array): void {
    this.#write(this.#offsetOf(at), vector)
  }

  /**
   * Computes the distance of each vector from the query.
   * @param distances for each Hamming distance, 0 to `dimensions`, the distance to store, below `maxDistance`
   */
  measure(query: Float32Array, ranges: readonly NumberRange[], distances: ArrayLike<number>): void {
    this.#write(0, query)
    new Uint16Array(this.#memory.buffer, this.#tableAt, this.dimensions + 1).set(distances)
    for (const { from, to } of ranges)
      this.#memory.kernel.distances(0, this.#offsetOf(from), this.bytesEach, to - from, this.#tableAt, this.#distanceAt(from))
  }

  /** Subtracts `max` × s / (s + `half`) from each distance, where s is the vector's BM25 score; `scores[0]` belongs to `from`. */
  subtractLexical(from: number, to: number, scores: Float32Array, { max, half }: { max: number; half: number }): void {
    const buffer = new Float32Array(this.#memory.buffer, this.#scoresAt, batchSize + simdLanes)
    for (const [first, count] of batches(from, to)) {
      buffer.set(scores.subarray(first - from, first - from + count))
      buffer.fill(0, count, count + simdLanes)
      this.#memory.kernel.nearer(this.#distanceAt(first), this.#scoresAt, count, max, half)
    }
  }

  /** Returns a histogram: the number of vectors at each distance. The next call overwrites it. */
  countDistances(ranges: readonly NumberRange[]): Uint32Array {
    const counts = new Uint32Array(this.#memory.buffer, this.#countsAt, maxDistance).fill(0)
    for (const { from, to } of ranges) this.#memory.kernel.count(this.#distanceAt(from), to - from, this.#countsAt)
    return counts
  }

  /** Returns the numbers of the vectors at a distance of at most `limit`, ascending. */
  select(from: number, to: number, limit: number, scratch: ScratchBuffers): Uint32Array {
    const selected = scratch.numbers(to - from)
    const numbers = new Uint32Array(this.#memory.buffer, this.#selectedAt, batchSize)
    let end = 0
    for (const [first, count] of batches(from, to)) {
      const found = this.#memory.kernel.pick(this.#distanceAt(first), count, limit, this.#selectedAt)
      for (let each = 0; each < found; each++) selected[end++] = first + (numbers[each] ?? 0)
    }
    return selected.slice(0, end)
  }

  /** Returns the bytes of the vectors `from` to `to` (exclusive), to copy or fill before the next `reserve`. */
  bytesOf(from: number, to: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#offsetOf(from), (to - from) * this.bytesEach)
  }

  #write(offset: number, vector: Float32Array): void {
    const bits = new Uint8Array(this.#memory.buffer, offset, this.bytesEach).fill(0)
    for (let index = 0; index < vector.length; index++)
      if ((vector[index] ?? 0) < 0) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7))
  }

  #offsetOf(at: number): number {
    return this.#firstAt + at * this.bytesEach
  }

  #distanceAt(at: number): number {
    return this.#offsetOf(this.#capacity) + 2 * at
  }
}

function* batches(from: number, to: number): Generator<[first: number, count: number]> {
  for (let first = from; first < to; first += batchSize) yield [first, Math.min(to - first, batchSize)]
}
