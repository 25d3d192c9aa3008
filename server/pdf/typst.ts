import { initSync, TypstCompilerBuilder, TypstFontResolverBuilder, type TypstCompiler } from '@myriaddreamin/typst-ts-web-compiler'
import { fileURLToPath } from 'node:url'
import type { FontSource } from './font-set.ts'

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
  compile(data: string, files: ReadonlyMap<string, Uint8Array>): Uint8Array
  /** @throws Error with the messages of the compiler if it cannot decode the image */
  decode(path: string, bytes: Uint8Array): void
}

const layoutPath = '/offer.typ'
const decodePath = '/decode.typ'
const decodeLayout = '#image(sys.inputs.path, width: 1cm)'

/** Returns the path of the WebAssembly code of Typst. */
export const typstFile = (): string => fileURLToPath(import.meta.resolve('@myriaddreamin/typst-ts-web-compiler/wasm'))

/** @param module the compiled code; can be called once a thread */
export async function openTypst(layout: string, module: object): Promise<Typst> {
  initSync({ module: module as WebAssembly.Module })
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
    async setFonts(fonts) {
      const resolver = new TypstFontResolverBuilder()
      for (const { info, read } of fonts) resolver.add_lazy_font(info, read)
      compiler.set_fonts(await resolver.build())
    },
    compile: (data, files) => withFiles(files, () => compile(compiler, layoutPath, [['data', data]])),
    decode: (path, bytes) => void withFiles(new Map([[path, bytes]]), () => compile(compiler, decodePath, [['path', path]])),
  }
}

const readableDiagnostics = 2

function compile(compiler: TypstCompiler, path: string, inputs: [name: string, value: string][]): Uint8Array {
  const { result, diagnostics } = asArtifact(compiler.compile(path, inputs, 'pdf', readableDiagnostics))
  if (result === undefined) throw new Error(`Typst: ${diagnostics?.join('; ') ?? 'no result'}`)
  return result
}

/** The form of `CompileResult` of typst.ts. */
const asArtifact = (artifact: unknown) => artifact as { result?: Uint8Array; diagnostics?: string[] }
