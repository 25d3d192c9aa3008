interface Memory {
  readonly buffer: ArrayBuffer
  /** Grows by a number of 64 kB pages, which replaces the buffer. */
  grow(pages: number): number
}

/** The part of the WebAssembly API that the server uses. Its types are part of the DOM library, which the server does not include. */
export const { Module, Instance, Memory, compile } = (
  globalThis as unknown as {
    WebAssembly: {
      Module: new (code: Uint8Array) => object
      Instance: new (module: object, imports: object) => { readonly exports: unknown }
      Memory: new (size: { initial: number }) => Memory
      compile: (code: Uint8Array) => Promise<WebAssembly.Module>
    }
  }
).WebAssembly
