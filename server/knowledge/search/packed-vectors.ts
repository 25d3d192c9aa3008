import { aligned, KernelMemory } from './kernel/kernel.ts'
import { PackedSigns } from './packed-signs.ts'

/** Vectors whose cosines are computed at once. */
const atOnce = 1024
const whole = 0x7fff

/** Vectors of unit length in memory, by number from 0 on: as 16-bit numbers, by which a cosine is right to about 2e-5. */
export class PackedVectors {
  readonly dimensions: number
  /** Those of the vectors, by which their cosines are guessed in a small part of the time. */
  readonly signs: PackedSigns
  readonly #bytesEach: number
  readonly #resultsAt: number
  readonly #firstAt: number
  readonly #memory: KernelMemory
  #asked: Float32Array | undefined

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.signs = new PackedSigns(dimensions)
    this.#bytesEach = Math.ceil(dimensions / 16) * 32
    this.#resultsAt = this.#bytesEach
    this.#firstAt = aligned(this.#resultsAt + 4 * atOnce)
    this.#memory = new KernelMemory(this.#firstAt)
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength + this.signs.bytes
  }

  /** Makes room for vectors below `count`. */
  reserve(count: number): void {
    this.#memory.reserve(this.#placeOf(count))
    this.signs.reserve(count)
  }

  /** @param vector of unit length, of as many numbers as the others */
  set(at: number, vector: Float32Array): void {
    this.#write(this.#placeOf(at), vector)
    this.signs.set(at, vector)
  }

  /** One of the vectors, as another one may be asked for it. */
  get(at: number): Float32Array {
    const numbers = new Int16Array(this.#memory.buffer, this.#placeOf(at), this.dimensions)
    const vector = new Float32Array(numbers)
    for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) / whole
    return vector
  }

  /** What the others are compared with from now on. */
  ask(query: Float32Array): void {
    if (query === this.#asked) return
    this.#write(0, query)
    this.#asked = query
  }

  /** Writes the cosines of the vectors from `from` to `to` (exclusive), each at its number. */
  cosines(from: number, to: number, into: Float32Array): void {
    for (let first = from; first < to; first += atOnce) {
      const count = Math.min(to - first, atOnce)
      this.#memory.kernel.dots(0, this.#placeOf(first), this.#bytesEach, count, this.#resultsAt, 1 / (whole * whole))
      into.set(new Float32Array(this.#memory.buffer, this.#resultsAt, count), first)
    }
  }

  /** Writes the cosines of these vectors, each at its number. */
  cosinesOf(chosen: Uint32Array, into: Float32Array): void {
    const places = new Uint32Array(this.#memory.buffer, this.#resultsAt, atOnce)
    const cosines = new Float32Array(this.#memory.buffer, this.#resultsAt, atOnce)
    for (let from = 0; from < chosen.length; from += atOnce) {
      const count = Math.min(chosen.length - from, atOnce)
      for (let each = 0; each < count; each++) places[each] = this.#placeOf(chosen[from + each] ?? 0)
      this.#memory.kernel.dotsAt(0, this.#resultsAt, this.#bytesEach, count, 1 / (whole * whole))
      for (let each = 0; each < count; each++) into[chosen[from + each] ?? 0] = cosines[each] ?? 0
    }
  }

  #write(place: number, vector: Float32Array): void {
    const numbers = new Int16Array(this.#memory.buffer, place, this.#bytesEach / 2)
    for (let index = 0; index < vector.length; index++)
      numbers[index] = Math.max(-whole, Math.min(whole, Math.round((vector[index] ?? 0) * whole)))
  }

  #placeOf(at: number): number {
    return this.#firstAt + at * this.#bytesEach
  }
}
