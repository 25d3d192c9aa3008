import type { EmbeddingPurpose } from '../embedder.ts'
import { tokenWindows } from '../token-windows.ts'
import { windowMean } from '../vectors.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import { readerOf } from './folder-reader.ts'
import { ModelFolderError } from './model-folder-error.ts'
import { readTokenizer } from './model-tokenizer.ts'
import { openOnnxEncoder } from './onnx-encoder.ts'
import { pooled } from './pooling.ts'

/** An embedding model that is loaded into this thread. */
export interface TextEncoder {
  /** Returns the token ids of each window of a text, each with the prefix and special tokens. */
  windows(text: string, purpose: EmbeddingPurpose): number[][]
  /** Returns the vector of a window, of unit length. Blocks the thread. */
  embedWindow(ids: readonly number[]): Promise<Float32Array>
  close(): Promise<void>
}

/**
 * Loads an embedding model from its folder, and embeds one text to check its output.
 * @throws ModelFolderError
 */
export async function openTextEncoder(model: EmbeddingModel): Promise<TextEncoder> {
  const { config, pooling, hiddenSize, dimensions, prefixes } = model
  const tokenizer = await readTokenizer(readerOf(model.folder))
  const { special } = tokenizer
  const encoder = await openOnnxEncoder(model)
  const capacity = config.maxTokens - special.before.length - special.after.length
  const framed = (ids: readonly number[]): number[] => [...special.before, ...ids, ...special.after]
  const cased = (text: string): string => (config.lowercase ? text.toLowerCase() : text)

  function windows(text: string, purpose: EmbeddingPurpose): number[][] {
    const prefix = cased(prefixes[purpose])
    const whole = tokenizer.encode(prefix + cased(text))
    if (whole.length <= capacity) return [framed(whole)]
    const head = prefix === '' ? [] : tokenizer.encode(prefix)
    // Half of a window at least is the text's.
    const kept = head.slice(0, Math.floor(capacity / 2))
    return tokenWindows(tokenizer.encode(cased(text)), capacity - kept.length).map((window) => framed([...kept, ...window]))
  }

  async function embedWindow(ids: readonly number[]): Promise<Float32Array> {
    const { values, dimensions: shape } = await encoder.run(ids)
    const expected = pooling === null ? [1, hiddenSize] : [1, ids.length, hiddenSize]
    if (shape.join() !== expected.join())
      throw new ModelFolderError(
        model.folder,
        model.graph.path,
        `gives an output of ${shape.join(' × ')} numbers instead of ${expected.join(' × ')}.`,
      )
    const vector = pooling === null ? values : pooled(values, hiddenSize, pooling)
    const unit = windowMean([vector.subarray(0, dimensions)])
    if (!unit.every(Number.isFinite)) throw new Error(`The model ${model.name} gives no finite vector for a text`)
    return unit
  }

  try {
    for (const window of windows('A text to check the output of the model.', 'query')) await embedWindow(window)
  } catch (error) {
    await encoder.close()
    throw error
  }
  return { windows, embedWindow, close: () => encoder.close() }
}
