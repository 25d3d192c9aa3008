import { readerOf } from '../embed/folder/folder-reader.ts'
import { ModelFolderError } from '../embed/folder/model-folder-error.ts'
import { readTokenizer, type SpecialTokens } from '../embed/folder/model-tokenizer.ts'
import { openOnnxEncoder } from '../embed/folder/onnx-encoder.ts'
import type { ServedModel } from '../embed/serve-model.ts'
import type { RerankingModel } from './reranking-model.ts'

/**
 * Loads a cross-encoder into this thread, and scores one pair to check its output. The result of a query and a document is one
 * number, its relevance from 0 to 1: the sigmoid of the logit.
 * @throws ModelFolderError
 */
export async function openCrossEncoder(model: RerankingModel): Promise<ServedModel> {
  const { config } = model
  const tokenizer = await readTokenizer(readerOf(model.folder))
  const { special } = tokenizer
  const encoder = await openOnnxEncoder(model)
  const tokens = (text: string): number[] => tokenizer.encode(config.lowercase ? text.toLowerCase() : text)

  async function relevance(query: string, document: string): Promise<Float32Array> {
    const { ids, types } = pairOf(tokens(query), tokens(document), special, config.maxTokens)
    const { values } = await encoder.run(ids, types)
    const [logit] = values
    if (values.length !== 1 || logit === undefined || Number.isNaN(logit))
      throw new ModelFolderError(model.folder, model.graph.path, `gives ${values.length} numbers instead of one logit.`)
    return Float32Array.of(1 / (1 + Math.exp(-logit)))
  }

  try {
    await relevance('A query?', 'A document.')
  } catch (error) {
    await encoder.close()
    throw error
  }
  return {
    runs: ({ text, second }) => [() => relevance(text, second ?? '')],
    combine: ([only]) => Float32Array.from(only ?? []),
    close: () => encoder.close(),
  }
}

/** Frames the two texts with special tokens. The longer one is cut until both fit. */
export function pairOf(
  query: readonly number[],
  document: readonly number[],
  { pair }: SpecialTokens,
  maxTokens: number,
): { ids: number[]; types: number[] } {
  const room = maxTokens - pair.before.length - pair.between.length - pair.after.length
  const half = Math.ceil(room / 2)
  const first = query.slice(0, Math.max(half, room - document.length))
  const second = document.slice(0, Math.max(0, room - first.length))
  const head = [...pair.before, ...first, ...pair.between]
  const tail = [...second, ...pair.after]
  return { ids: [...head, ...tail], types: [...head.map(() => 0), ...tail.map(() => pair.secondType)] }
}
