import { initSync, TypstCompilerBuilder, TypstFontResolverBuilder, type TypstCompiler } from '@myriaddreamin/typst-ts-web-compiler'
import { fileURLToPath } from 'node:url'
import type { FontSource } from './font-set.ts'
import { takeSnapshot, type MemorySnapshot } from './memory-snapshot.ts'

/** Compiles one layout to PDF. It can read no file and load no package: only the data, the given files and the fonts. */
export interface Typst {
  /** Makes these fonts available in addition to earlier ones. */
  setFonts(fonts: readonly FontSource[]): Promise<void>
  /**
   * Returns the PDF.
   * @param data JSON, readable in the layout as `sys.inputs.data`
   * @param files by absolute path
   * @throws Error with the messages of the compiler
   */
  compile(data: string, files: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer>
  /** @throws Error with the messages of the compiler if it cannot decode the image */
  decode(path: string, bytes: Uint8Array): void
  /**
   * Copies the state, which can be restored as long as no fonts are set or read.
   * @param fonts files that were read
   */
  snapshot(fonts: readonly Uint8Array[]): MemorySnapshot
  readonly memory: { readonly buffer: ArrayBuffer }
}

const layoutPath = '/offer.typ'
const decodePath = '/decode.typ'
const decodeLayout = '#image(sys.inputs.path, width: 1cm)'

/** Free memory of a snapshot, which is enough for about five pages. */
const reservedBytes = 16 * 2 ** 20

/** Returns the path of the WebAssembly code of Typst. */
export const typstFile = (): string => fileURLToPath(import.meta.resolve('@myriaddreamin/typst-ts-web-compiler/wasm'))

/** @param module the compiled code; can be called once a thread */
export async function openTypst(layout: string, module: object): Promise<Typst> {
  const { memory, __wbindgen_export: allocate, __wbindgen_export4: free } = initSync({ module: module as WebAssembly.Module })
  const builder = new TypstCompilerBuilder()
  builder.set_dummy_access_model()
  const compiler = await builder.build()
  compiler.add_source(layoutPath, layout)
  compiler.add_source(decodePath, decodeLayout)

  function withFiles<T>(files: ReadonlyMap<string, Uint8Array>, work: () => T): T {
    for (const [path, bytes] of files) compiler.map_shadow(path, bytes)
    try {
      return work()
    } finally {
      for (const path of files.keys()) compiler.unmap_shadow(path)
    }
  }

  return {
    memory,
    async setFonts(fonts) {
      const fontBuilder = new TypstFontResolverBuilder()
      for (const { info, read } of fonts) fontBuilder.add_lazy_font(info, read)
      const resolver = await fontBuilder.build()
      compiler.set_fonts(resolver)
      // The garbage collector would free it later, in a memory that has been restored since.
      resolver.free()
    },
    compile: (data, files) => withFiles(files, () => compile(compiler, layoutPath, [['data', data]])),
    decode: (path, bytes) => void withFiles(new Map([[path, bytes]]), () => compile(compiler, decodePath, [['path', path]])),
    snapshot(fonts) {
      // The allocator keeps freed memory. It could not reuse memory that was added after the snapshot.
      free(allocate(reservedBytes, 1), reservedBytes, 1)
      return takeSnapshot(memory, fonts)
    },
  }
}

const readableDiagnostics = 2

function compile(compiler: TypstCompiler, path: string, inputs: [name: string, value: string][]): Uint8Array<ArrayBuffer> {
  const { result, diagnostics } = asArtifact(compiler.compile(path, inputs, 'pdf', readableDiagnostics))
  if (result === undefined) throw new Error(`Typst: ${diagnostics?.join('; ') ?? 'no result'}`)
  return result
}

/** The form of `CompileResult` of typst.ts. */
const asArtifact = (artifact: unknown) => artifact as { result?: Uint8Array<ArrayBuffer>; diagnostics?: string[] }
