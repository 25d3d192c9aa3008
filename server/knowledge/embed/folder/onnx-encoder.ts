import { join } from 'node:path'
import type { Tensor } from 'onnxruntime-node'
import { halfToFloat } from '../half-precision.ts'
import { loadOnnxRuntime } from '../onnx-runtime.ts'
import { signedWeightsAreExact } from '../signed-weights.ts'
import type { EncoderModel } from './embedding-model.ts'
import { requireUnchanged } from './folder-reader.ts'
import { ModelFolderError } from './model-folder-error.ts'

export interface OnnxEncoder {
  /**
   * Runs the model on one text, without padding. Blocks the thread.
   * @param types `token_type_ids`, if the model has this input; all 0 by default
   * @returns the output with its dimensions
   */
  run(ids: readonly number[], types?: readonly number[]): Promise<{ values: Float32Array; dimensions: readonly number[] }>
  close(): Promise<void>
}

/**
 * Loads the model into this thread. It is single-threaded.
 * @throws ModelFolderError if a file has changed since it was read, or the runtime cannot load the model
 */
export async function openOnnxEncoder({ folder, files, graph, output }: EncoderModel): Promise<OnnxEncoder> {
  await requireUnchanged(folder, files)
  const runtime = await loadOnnxRuntime()
  const exact = await signedWeightsAreExact(runtime)
  const session = await runtime.InferenceSession.create(join(folder, graph.path), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    extra: { session: { x64quantprecision: exact ? '0' : '1' } },
  }).catch((cause: unknown) => {
    throw new ModelFolderError(folder, graph.path, `cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  })

  const tensor = (type: 'int64' | 'int32', values: readonly number[]): Tensor => {
    const data = type === 'int64' ? BigInt64Array.from(values, BigInt) : Int32Array.from(values)
    return new runtime.Tensor(type, data, [1, values.length])
  }
  return {
    async run(ids, types = ids.map(() => 0)) {
      const values = { input_ids: ids, attention_mask: ids.map(() => 1), token_type_ids: types }
      const feeds = Object.fromEntries(graph.inputs.map(({ name, type }) => [name, tensor(type, values[name])]))
      const { [output.name]: result } = await session.run(feeds, [output.name])
      if (result === undefined) throw new Error(`The model has no output ${output.name}`)
      return { values: floatsOf(result), dimensions: result.dims }
    },
    close: () => session.release(),
  }
}

function floatsOf({ type, data }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data
  if (type === 'float16' && ArrayBuffer.isView(data))
    return Float32Array.from(new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2), halfToFloat)
  throw new Error(`The model answers with ${type} instead of float32 or float16`)
}
