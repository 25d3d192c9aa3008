import { MessageChannel } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import type { Tensor } from 'onnxruntime-node'
import { withAsciiDigits } from '../../lib/ascii-digits.ts'
import { type Precision, buildMiniLmGraph, hiddenSize } from './minilm-graph.ts'
import { readModelFiles } from './model-files.ts'
import { loadOnnxRuntime } from './onnx-runtime.ts'
import { signedWeightsAreExact } from './signed-weights.ts'
import { readTfjsWeights } from './tfjs-weights.ts'
import { tokenWindows } from './token-windows.ts'

/** Maximum input of the model in tokens, including the two special tokens that frame a text. */
const windowTokens = 256
const classToken = 101
const separatorToken = 102

export interface MiniLm {
  /** Returns the token ids of each window of a text; for a blank text one window of the special tokens alone. */
  windows(text: string): Int32Array[]
  /** Returns the vector of a window, of unit length. Blocks the thread: about 12 ms for 200 tokens, 1 ms for 12. */
  embedWindow(ids: Int32Array): Promise<Float32Array>
  close(): Promise<void>
}

/** Loads all-MiniLM-L6-v2 into this thread. It is single-threaded; parallel work takes several threads with one model each. */
export async function openMiniLm(folder: string, precision: Precision): Promise<MiniLm> {
  const { weights, manifest, tokenizer: tokenizerJson } = await readModelFiles(folder)
  const tokenizer = new Tokenizer(JSON.parse(tokenizerJson), {})
  const graph = buildMiniLmGraph(readTfjsWeights(manifest, weights), precision)
  const runtime = await loadOnnxRuntime()
  const session = await runtime.InferenceSession.create(graph, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // '1' makes the weights unsigned: exact on every processor, at a third of the speed.
    extra: { session: { x64quantprecision: (await signedWeightsAreExact(runtime)) ? '0' : '1' } },
  })
  free(weights.buffer, graph.buffer)

  /**
   * Writes compatibility characters and digits that the vocabulary lacks as the model knows them: full-width `ｄｅｐｏｓｉｔ` as
   * `deposit`. A word with an unknown character would become [UNK]. Known ones such as ½ and ™ keep their tokens.
   */
  const readable = (text: string): string =>
    text.replaceAll(/[^\0-\x7f]/gu, (character) =>
      tokenizer.token_to_id(character) === undefined ? withAsciiDigits(character.normalize('NFKC')) : character,
    )

  return {
    windows(text) {
      const { ids } = tokenizer.encode(readable(text), { add_special_tokens: false })
      return tokenWindows(ids, windowTokens - 2).map((window) => Int32Array.of(classToken, ...window, separatorToken))
    },
    async embedWindow(ids) {
      const { embedding } = await session.run({ input_ids: new runtime.Tensor('int32', ids, [1, ids.length]) })
      return floats(embedding)
    },
    close: () => session.release(),
  }
}

/** The only output of the model is float32 by its graph. */
function floats(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array) || tensor.data.length !== hiddenSize) throw new Error('The embedding model gave no vector')
  return tensor.data
}

/** Frees buffers that the runtime has copied. The garbage collector rarely runs in an idle thread and would keep 58 MB. */
function free(...buffers: ArrayBuffer[]): void {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  port1.postMessage(null, buffers)
  port1.close()
}
