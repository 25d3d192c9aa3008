import { aligned, KernelMemory } from './kernel/kernel.ts'

/** Distances are less than this. */
export const farthest = 4096

/** Vectors whose words are handed over, or of which some are picked, at once. */
const atOnce = 1024
/** Numbers that the kernel takes at once. */
const byEights = 8

/** Vectors by number. */
interface NumberRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/**
 * The signs of vectors, by number from 0 on, a bit each; and how far each vector is from what was asked for last. Signs lie
 * side by side, and distances behind them: a large base is read as fast as memory gives it.
 */
export class PackedSigns {
  readonly dimensions: number
  readonly #bytesEach: number
  readonly #tableAt: number
  readonly #wordsAt: number
  readonly #countsAt: number
  readonly #pickedAt: number
  readonly #firstAt: number
  readonly #memory: KernelMemory
  #room = 0

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.#bytesEach = Math.ceil(dimensions / 192) * 24
    this.#tableAt = this.#bytesEach
    this.#wordsAt = aligned(this.#tableAt + 2 * (dimensions + 1))
    this.#countsAt = this.#wordsAt + 4 * (atOnce + byEights)
    this.#pickedAt = this.#countsAt + 4 * farthest
    this.#firstAt = aligned(this.#pickedAt + 4 * atOnce)
    this.#memory = new KernelMemory(this.#firstAt)
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  /** Makes room for vectors below `count`; distances are gone. */
  reserve(count: number): void {
    if (count <= this.#room) return
    this.#room = Math.ceil(count / atOnce) * atOnce
    this.#memory.reserve(this.#distanceAt(this.#room + byEights))
  }

  set(at: number, vector: Float32Array): void {
    this.#write(this.#placeOf(at), vector)
  }

  /**
   * Gives each of the vectors a distance from the query.
   * @param byDiffering of each number of signs that differ, 0 to `dimensions`
   */
  measure(query: Float32Array, ranges: readonly NumberRange[], byDiffering: ArrayLike<number>): void {
    this.#write(0, query)
    new Uint16Array(this.#memory.buffer, this.#tableAt, this.dimensions + 1).set(byDiffering)
    for (const { from, to } of ranges)
      this.#memory.kernel.distances(0, this.#placeOf(from), this.#bytesEach, to - from, this.#tableAt, this.#distanceAt(from))
  }

  /** Takes `most` x / (x + `half`) from the distance of each, where x is what it has in `words`; `words[0]` is of `from`. */
  bringNearer(from: number, to: number, words: Float32Array, { most, half }: { most: number; half: number }): void {
    const room = new Float32Array(this.#memory.buffer, this.#wordsAt, atOnce + byEights)
    for (const [first, count] of batches(from, to)) {
      room.set(words.subarray(first - from, first - from + count))
      room.fill(0, count, count + byEights)
      this.#memory.kernel.nearer(this.#distanceAt(first), this.#wordsAt, count, most, half)
    }
  }

  /** How many of the vectors have which distance; until they are counted again. */
  countDistances(ranges: readonly NumberRange[]): Uint32Array {
    const counts = new Uint32Array(this.#memory.buffer, this.#countsAt, farthest).fill(0)
    for (const { from, to } of ranges) this.#memory.kernel.count(this.#distanceAt(from), to - from, this.#countsAt)
    return counts
  }

  /** The vectors of at most this distance, ascending. */
  pick(from: number, to: number, mostDistance: number): Uint32Array {
    if (picked.length < to - from) picked = new Uint32Array(this.#room)
    const places = new Uint32Array(this.#memory.buffer, this.#pickedAt, atOnce)
    let end = 0
    for (const [first, count] of batches(from, to)) {
      const found = this.#memory.kernel.pick(this.#distanceAt(first), count, mostDistance, this.#pickedAt)
      for (let each = 0; each < found; each++) picked[end++] = first + (places[each] ?? 0)
    }
    return picked.slice(0, end)
  }

  #write(place: number, vector: Float32Array): void {
    const signs = new Uint8Array(this.#memory.buffer, place, this.#bytesEach).fill(0)
    for (let index = 0; index < vector.length; index++)
      if ((vector[index] ?? 0) < 0) signs[index >> 3] = (signs[index >> 3] ?? 0) | (1 << (index & 7))
  }

  #placeOf(at: number): number {
    return this.#firstAt + at * this.#bytesEach
  }

  #distanceAt(at: number): number {
    return this.#placeOf(this.#room) + 2 * at
  }
}

/** Used again by the next search. */
let picked = new Uint32Array(0)

function* batches(from: number, to: number): Generator<[first: number, count: number]> {
  for (let first = from; first < to; first += atOnce) yield [first, Math.min(to - first, atOnce)]
}
