import { readdir, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize, sep } from 'node:path'
import { elementType } from '../onnx-writer.ts'
import type { FolderReader } from './folder-reader.ts'
import { ModelFolderError } from './model-folder-error.ts'
import { precisionOf, readOnnx, type OnnxSummary, type OnnxValue } from './onnx-reader.ts'

export const inputNames = ['input_ids', 'attention_mask', 'token_type_ids'] as const
export type InputName = (typeof inputNames)[number]

/** The ONNX file of a model. */
export interface ModelGraph {
  /** Relative to the folder. */
  readonly path: string
  /** Further model files of the folder, which are not used. */
  readonly others: readonly string[]
  readonly precision: string
  readonly inputs: readonly { readonly name: InputName; readonly type: 'int64' | 'int32' }[]
  readonly outputs: readonly OnnxValue[]
}

/** In order of preference, in the folder itself and in its subfolder `onnx`. */
const preferred = ['model.onnx', 'model_quantized.onnx', 'model_int8.onnx', 'model_fp16.onnx']

/**
 * Finds and reads the ONNX file: full precision before 8-bit integers before half precision, and the folder itself before its
 * subfolder `onnx`. A single file of another name is used as well.
 * @throws ModelFolderError if there is no such file, if it is damaged, or if it needs other inputs
 */
export async function readModelGraph(reader: FolderReader): Promise<ModelGraph> {
  const { folder } = reader
  const all = await onnxFiles(folder)
  const known = preferred.flatMap((name) => [name, join('onnx', name)]).find((path) => all.includes(path))
  const path = known ?? (all.length === 1 ? all[0] : undefined)
  if (path === undefined)
    throw new ModelFolderError(
      folder,
      'model.onnx',
      all.length === 0
        ? 'is missing.'
        : `is missing, and the folder has several other models: ${all.join(', ')}. Rename one to model.onnx.`,
    )
  const summary = await summaryOf(reader, path)
  for (const file of summary.externalFiles) await recordExternal(reader, path, file)
  const precision = precisionOf(summary)
  return {
    path,
    others: all.filter((other) => other !== path),
    precision,
    inputs: inputsOf(reader, path, summary),
    outputs: summary.outputs,
  }
}

async function onnxFiles(folder: string): Promise<string[]> {
  const list = (path: string): Promise<string[]> => readdir(join(folder, path)).catch(() => [])
  const own = await readdir(folder).catch((cause: unknown) => {
    throw new ModelFolderError(folder, '.', 'is not a folder that can be read.', { cause })
  })
  const inner = (await list('onnx')).map((name) => join('onnx', name))
  return [...own, ...inner].filter((path) => path.endsWith('.onnx')).toSorted()
}

async function summaryOf(reader: FolderReader, path: string): Promise<OnnxSummary> {
  const bytes = await reader.read(path)
  try {
    return readOnnx(bytes)
  } catch (cause) {
    throw new ModelFolderError(reader.folder, path, `is not a complete ONNX model: ${(cause as Error).message}.`, { cause })
  }
}

/** Weights outside of the folder are refused: a model file could otherwise name any file of the machine. */
async function recordExternal(reader: FolderReader, model: string, file: string): Promise<void> {
  const refused = new ModelFolderError(reader.folder, model, `names weights outside of the folder (${file}), which is not permitted.`)
  const path = normalize(join(dirname(model), file))
  if (isAbsolute(file) || path === '..' || path.startsWith(`..${sep}`)) throw refused
  await reader.record(path)
  const [root, real] = await Promise.all([realpath(reader.folder), realpath(join(reader.folder, path))])
  if (!real.startsWith(`${root}${sep}`)) throw refused
}

function inputsOf({ folder }: FolderReader, path: string, { inputs }: OnnxSummary): ModelGraph['inputs'] {
  const read = inputs.map(({ name, type }) => {
    const known = inputNames.find((each) => each === name)
    if (known === undefined)
      throw new ModelFolderError(folder, path, `needs the input ${name}. Supported inputs: ${inputNames.join(', ')}.`)
    if (type !== elementType.int64 && type !== elementType.int32)
      throw new ModelFolderError(folder, path, `has an input ${name} that does not take whole numbers.`)
    return { name: known, type: type === elementType.int64 ? ('int64' as const) : ('int32' as const) }
  })
  if (!read.some(({ name }) => name === 'input_ids')) throw new ModelFolderError(folder, path, 'has no input input_ids.')
  return read
}
