import { kernelWasm } from './kernel.wasm.ts'

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

/** What `kernel.wat` does; all numbers but scales are places and sizes in its memory. */
export interface Kernel {
  dots(query: number, vector: number, bytes: number, count: number, out: number, scale: number): void
  dotsAt(query: number, places: number, bytes: number, count: number, scale: number): void
  distances(query: number, code: number, bytes: number, count: number, table: number, out: number): void
  nearer(at: number, words: number, count: number, most: number, half: number): void
  count(at: number, count: number, counts: number): void
  pick(at: number, count: number, most: number, out: number): number
}

const kernel = new Module(Buffer.from(kernelWasm, 'base64'))
const page = 65_536

/** Memory of which the kernel makes use, and what it does there. */
export class KernelMemory {
  readonly #memory = new Memory({ initial: 0 })
  readonly kernel: Kernel

  constructor(bytes: number) {
    this.kernel = new Instance(kernel, { kernel: { memory: this.#memory } }).exports as Kernel
    this.reserve(bytes)
  }

  /** Another one after `reserve`. */
  get buffer(): ArrayBuffer {
    return this.#memory.buffer
  }

  /** Makes it as large as this at least. */
  reserve(bytes: number): void {
    const missing = bytes - this.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.ceil(missing / page))
  }
}

/** Where a line of the cache begins, from here on. */
export const aligned = (at: number): number => Math.ceil(at / 64) * 64
