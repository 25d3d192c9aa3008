import { Instance, Memory, Module } from '../../../lib/web-assembly.ts'
import { kernelWasm } from './kernel.wasm.ts'

/** The exports of `kernel.wat`. All numbers except scales are offsets and sizes in its memory. */
export interface Kernel {
  dots(query: number, vector: number, bytes: number, count: number, out: number, scale: number): void
  dotsAt(query: number, places: number, bytes: number, count: number, scale: number): void
  distances(query: number, code: number, bytes: number, count: number, table: number, out: number): void
  lookUp(at: number, count: number, table: number, out: number): void
  weightedDistances(planes: number, end: number, places: number, bytes: number, count: number): void
  nearer(at: number, words: number, count: number, most: number, half: number): void
  count(at: number, count: number, counts: number, stride: number): void
  pick(at: number, count: number, most: number, out: number): number
}

const kernel = new Module(Buffer.from(kernelWasm, 'base64'))
const page = 65_536

/** A memory and the kernel that works in it. */
export class KernelMemory {
  readonly #memory = new Memory({ initial: 0 })
  readonly kernel: Kernel

  constructor(bytes: number) {
    this.kernel = new Instance(kernel, { kernel: { memory: this.#memory } }).exports as Kernel
    this.reserve(bytes)
  }

  /** Replaced by `reserve`. */
  get buffer(): ArrayBuffer {
    return this.#memory.buffer
  }

  /** Grows the memory to at least this size. */
  reserve(bytes: number): void {
    const missing = bytes - this.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.ceil(missing / page))
  }
}

/** Returns the next start of a cache line. */
export const aligned = (at: number): number => Math.ceil(at / 64) * 64
