import { kernelWasm } from './kernel/kernel.wasm.ts'

interface Memory {
  readonly buffer: ArrayBuffer
  /** By so many pages of 64 kB; the buffer is another one afterwards. */
  grow(pages: number): number
}

/** What the runtime has of WebAssembly, as far as it is used here; its types come with those of browsers only. */
const { Module, Instance, Memory } = (
  globalThis as unknown as {
    WebAssembly: {
      Module: new (code: Uint8Array) => object
      Instance: new (module: object, imports: object) => { readonly exports: unknown }
      Memory: new (size: { initial: number }) => Memory
    }
  }
).WebAssembly

interface Kernel {
  dots(query: number, vector: number, bytes: number, count: number, out: number, scale: number): void
  dotsAt(query: number, places: number, bytes: number, count: number, scale: number): void
  distances(query: number, code: number, bytes: number, count: number, table: number, out: number): void
  nearer(at: number, words: number, count: number, most: number, half: number): void
  count(at: number, count: number, counts: number): void
  pick(at: number, count: number, most: number, out: number): number
}

const kernel = new Module(Buffer.from(kernelWasm, 'base64'))

/** Vectors that share a stretch of memory: first the signs of all, then their numbers, then room for results. */
const inUnit = 1024
const page = 65_536
/** Numbers that the kernel takes at once. */
const inOnce = 8
const whole = 0x7fff

/** Distances are less than this. */
export const farthest = 4096

/**
 * Vectors of unit length in memory, by number from 0 on. Each is kept twice: as 16-bit numbers, by which a cosine is right
 * to about 2e-5, and as one bit a number, its sign, by which it is guessed in a small part of the time.
 */
export class PackedVectors {
  readonly dimensions: number
  readonly #memory = new Memory({ initial: 1 })
  readonly #kernel: Kernel
  readonly #numberBytes: number
  readonly #signBytes: number
  readonly #unitBytes: number
  readonly #tableAt: number
  readonly #wordsAt: number
  readonly #countsAt: number
  readonly #pickedAt: number
  readonly #firstUnit: number
  #units = 0
  #asked: Float32Array | undefined

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.#numberBytes = Math.ceil(dimensions / 16) * 32
    this.#signBytes = Math.ceil(dimensions / 192) * 24
    this.#unitBytes = inUnit * (this.#signBytes + this.#numberBytes + 4)
    this.#tableAt = this.#numberBytes + this.#signBytes
    this.#wordsAt = aligned(this.#tableAt + 2 * (dimensions + 1))
    this.#countsAt = this.#wordsAt + 4 * (inUnit + inOnce)
    this.#pickedAt = this.#countsAt + 4 * farthest
    this.#firstUnit = aligned(this.#pickedAt + 4 * inUnit)
    this.#kernel = new Instance(kernel, { vectors: { memory: this.#memory } }).exports as Kernel
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  /** Makes room for vectors below `count`. */
  reserve(count: number): void {
    this.#units = Math.max(this.#units, Math.ceil(count / inUnit))
    const missing = this.#firstUnit + this.#units * this.#unitBytes - this.bytes
    if (missing > 0) this.#memory.grow(Math.ceil(missing / page))
  }

  /** @param vector of unit length, of as many numbers as the others */
  set(at: number, vector: Float32Array): void {
    this.#write(this.#numbersAt(at), this.#signsAt(at), vector)
  }

  /** One of the vectors, as another one may be asked for it. */
  get(at: number): Float32Array {
    const numbers = new Int16Array(this.#memory.buffer, this.#numbersAt(at), this.dimensions)
    return Float32Array.from(numbers, (value) => value / whole)
  }

  /** What the others are compared with from now on. */
  ask(query: Float32Array): void {
    if (query === this.#asked) return
    this.#write(0, this.#numberBytes, query)
    this.#asked = query
  }

  /** Calls back with the cosines of the vectors from `from` to `to` (exclusive), some at a time: `cosines[i]` is of `first + i`. */
  cosines(from: number, to: number, use: (cosines: Float32Array, first: number) => void): void {
    for (const [first, count] of stretches(from, to)) {
      const out = this.#resultsOf(first)
      this.#kernel.dots(0, this.#numbersAt(first), this.#numberBytes, count, out, 1 / (whole * whole))
      use(new Float32Array(this.#memory.buffer, out, count), first)
    }
  }

  /** Calls back with the cosine of each of these vectors. */
  cosinesOf(chosen: ArrayLike<number>, use: (cosine: number, at: number) => void): void {
    const places = new Uint32Array(this.#memory.buffer, this.#pickedAt, inUnit)
    const cosines = new Float32Array(this.#memory.buffer, this.#pickedAt, inUnit)
    for (let from = 0; from < chosen.length; from += inUnit) {
      const count = Math.min(chosen.length - from, inUnit)
      for (let each = 0; each < count; each++) places[each] = this.#numbersAt(chosen[from + each] ?? 0)
      this.#kernel.dotsAt(0, this.#pickedAt, this.#numberBytes, count, 1 / (whole * whole))
      for (let each = 0; each < count; each++) use(cosines[each] ?? 0, chosen[from + each] ?? 0)
    }
  }

  /**
   * Gives each vector from `from` to `to` (exclusive) a distance, by how many signs differ. It lasts until `cosines` are asked for.
   * @param byDiffering of each number of signs, 0 to `dimensions`
   */
  measure(from: number, to: number, byDiffering: Uint16Array): void {
    new Uint16Array(this.#memory.buffer, this.#tableAt, this.dimensions + 1).set(byDiffering)
    for (const [first, count] of stretches(from, to)) {
      const out = this.#distancesAt(first)
      this.#kernel.distances(this.#numberBytes, this.#signsAt(first), this.#signBytes, count, this.#tableAt, out)
    }
  }

  /** Takes `most` x / (x + `half`) from the distance of each, where x is what it has in `words`; `words[0]` is of `from`. */
  bringNearer(from: number, to: number, words: Float32Array, { most, half }: { most: number; half: number }): void {
    const room = new Float32Array(this.#memory.buffer, this.#wordsAt, inUnit + inOnce)
    for (const [first, count] of stretches(from, to)) {
      room.set(words.subarray(first - from, first - from + count))
      room.fill(0, count, count + inOnce)
      this.#kernel.nearer(this.#distancesAt(first), this.#wordsAt, count, most, half)
    }
  }

  /** How many of the vectors have which distance. */
  countDistances(ranges: readonly { readonly from: number; readonly to: number }[]): Uint32Array {
    const counts = new Uint32Array(this.#memory.buffer, this.#countsAt, farthest).fill(0)
    for (const { from, to } of ranges)
      for (const [first, count] of stretches(from, to)) this.#kernel.count(this.#distancesAt(first), count, this.#countsAt)
    return counts.slice()
  }

  /** The vectors of at most this distance. */
  pick(from: number, to: number, mostDistance: number): number[] {
    const places: number[] = []
    for (const [first, count] of stretches(from, to)) {
      const found = this.#kernel.pick(this.#distancesAt(first), count, mostDistance, this.#pickedAt)
      for (const place of new Uint32Array(this.#memory.buffer, this.#pickedAt, found)) places.push(first + place)
    }
    return places
  }

  #write(numbersAt: number, signsAt: number, vector: Float32Array): void {
    const numbers = new Int16Array(this.#memory.buffer, numbersAt, this.#numberBytes / 2)
    const signs = new Uint8Array(this.#memory.buffer, signsAt, this.#signBytes).fill(0)
    for (let index = 0; index < vector.length; index++) {
      const value = vector[index] ?? 0
      numbers[index] = Math.max(-whole, Math.min(whole, Math.round(value * whole)))
      if (value < 0) signs[index >> 3] = (signs[index >> 3] ?? 0) | (1 << (index & 7))
    }
  }

  #unitOf(at: number): number {
    return this.#firstUnit + Math.floor(at / inUnit) * this.#unitBytes
  }

  #signsAt(at: number): number {
    return this.#unitOf(at) + (at % inUnit) * this.#signBytes
  }

  #numbersAt(at: number): number {
    return this.#unitOf(at) + inUnit * this.#signBytes + (at % inUnit) * this.#numberBytes
  }

  #distancesAt(at: number): number {
    return this.#resultsOf(at) + 2 * (at % inUnit)
  }

  #resultsOf(at: number): number {
    return this.#unitOf(at) + inUnit * (this.#signBytes + this.#numberBytes)
  }
}

const aligned = (at: number): number => Math.ceil(at / 16) * 16

function* stretches(from: number, to: number): Generator<[first: number, count: number]> {
  for (let first = from; first < to;) {
    const count = Math.min(to - first, inUnit - (first % inUnit))
    yield [first, count]
    first += count
  }
}
