import { withTransaction } from '../../context.ts'
import { embeddingText } from '../chunk/embedding-text.ts'
import { embeddingKey, findVectors } from '../index/stored-vectors.ts'
import type { Passage } from '../index/write.ts'
import type { Attempt } from '../rows/attempt.ts'

export interface EmbeddedPassage {
  readonly passage: Passage
  readonly vector: Float32Array
  readonly embeddingKey: Buffer
}

/**
 * Returns one vector for each passage. A text, with its title and headings, that already has a vector by the same model in the
 * knowledge base is not embedded again, and equal texts are embedded once; `reused` counts the others.
 * @throws SourceError `embedding_failed`
 */
export async function embedChunks(
  { ctx, signal }: Pick<Attempt, 'ctx' | 'signal'>,
  baseId: string,
  passages: readonly Passage[],
): Promise<{ embedded: EmbeddedPassage[]; reused: number }> {
  const texts = passages.map(({ chunk, document }) => embeddingText(chunk, document.title ?? undefined))
  const keys = texts.map((text) => embeddingKey(ctx.embedder, text))
  const vectors = await withTransaction(ctx, (trx) => findVectors(trx, baseId, keys))
  const missing = new Map<string, string>()
  keys.forEach((key, at) => {
    const hex = key.toString('hex')
    if (!vectors.has(hex)) missing.set(hex, texts[at] ?? '')
  })
  const made = missing.size === 0 ? [] : await ctx.embedder.embed([...missing.values()], 'passage', signal)
  for (const [at, hex] of [...missing.keys()].entries()) {
    const vector = made[at]
    if (vector !== undefined) vectors.set(hex, vector)
  }
  const embedded = passages.map((passage, at) => {
    const key = keys[at] ?? Buffer.alloc(0)
    const vector = vectors.get(key.toString('hex'))
    if (vector === undefined) throw new Error('the embedder answered fewer vectors than it was given texts')
    return { passage, vector, embeddingKey: key }
  })
  return { embedded, reused: passages.length - missing.size }
}
