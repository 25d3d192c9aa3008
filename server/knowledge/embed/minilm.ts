import { MessageChannel } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import type { Tensor } from 'onnxruntime-node'
import { type Precision, buildMiniLmGraph, hiddenSize } from './minilm-graph.ts'
import { readModelFiles } from './model-files.ts'
import { loadOnnxRuntime } from './onnx-runtime.ts'
import { signedWeightsAreExact } from './signed-weights.ts'
import { readTfjsWeights } from './tfjs-weights.ts'
import { tokenWindows } from './token-windows.ts'

/** Tokens the model was trained to read at once, the two that frame a text included. */
const windowTokens = 256
const classToken = 101
const separatorToken = 102

export interface MiniLm {
  /** Token ids of each window of a text; one window, of the framing tokens alone, for a blank text. */
  windows(text: string): Int32Array[]
  /** The unit vector of a window. Blocks the thread: about 12 ms for 200 tokens, 1 ms for 12. */
  embedWindow(ids: Int32Array): Promise<Float32Array>
  close(): Promise<void>
}

/** Loads all-MiniLM-L6-v2 into this thread, single-threaded: parallelism is more threads, each with one of these. */
export async function openMiniLm(folder: string, precision: Precision): Promise<MiniLm> {
  const { weights, manifest, tokenizer: tokenizerJson } = await readModelFiles(folder)
  const tokenizer = new Tokenizer(JSON.parse(tokenizerJson), {})
  const graph = buildMiniLmGraph(readTfjsWeights(manifest, weights), precision)
  const runtime = await loadOnnxRuntime()
  const session = await runtime.InferenceSession.create(graph, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // '1' turns the weights unsigned: exact everywhere, at a third of the speed.
    extra: { session: { x64quantprecision: (await signedWeightsAreExact(runtime)) ? '0' : '1' } },
  })
  free(weights.buffer, graph.buffer)

  return {
    windows(text) {
      const { ids } = tokenizer.encode(text, { add_special_tokens: false })
      return tokenWindows(ids, windowTokens - 2).map((window) => Int32Array.of(classToken, ...window, separatorToken))
    },
    async embedWindow(ids) {
      const { embedding } = await session.run({ input_ids: new runtime.Tensor('int32', ids, [1, ids.length]) })
      return floats(embedding)
    },
    close: () => session.release(),
  }
}

/** The model's one output is float32 by its graph. */
function floats(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array) || tensor.data.length !== hiddenSize) throw new Error('The embedding model gave no vector')
  return tensor.data
}

/** The runtime has its own copy. The collector sees little reason to run in an idle thread and would leave 58 MB lying. */
function free(...buffers: ArrayBuffer[]): void {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  port1.postMessage(null, buffers)
  port1.close()
}
