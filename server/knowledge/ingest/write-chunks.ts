import { withTransaction } from '../../context.ts'
import { defer } from '../../db/deferred.ts'
import type { Transaction } from '../../db/schema.ts'
import { newId } from '../../lib/ids.ts'
import { embeddingText } from '../chunk/embedding-text.ts'
import { embeddingKey, findVectors } from '../index/stored-vectors.ts'
import { chunksStatement, type IndexTarget, type DocumentChunk } from '../index/write.ts'
import type { Attempt } from '../rows/attempt.ts'

/** Chunks that are embedded together. */
const batchSize = 96
/**
 * Chunks per transaction: few enough that other statements do not wait long. Writing 96 chunks takes the embedded engine 100 ms on a
 * machine with both cores busy.
 */
const chunksPerTransaction = 48

/**
 * Embeds chunks and writes them under a generation that no search reads, each batch in two transactions.
 * @param written number of chunks that are already written
 * @param count runs first in each transaction; it throws to reject the transaction
 * @returns the number of written chunks
 * @throws SourceError `embedding_failed`; errors of `count`
 */
export async function embedAndWriteChunks(
  attempt: Pick<Attempt, 'ctx' | 'signal'>,
  target: IndexTarget,
  chunks: AsyncIterable<DocumentChunk> | Iterable<DocumentChunk>,
  written: number,
  count: (trx: Transaction, from: number, batch: { done: number; reused: number }) => Promise<void>,
): Promise<number> {
  const batches = batchesOf(chunks, written)
  const embed = async () => {
    const { value } = await batches.next()
    if (value === undefined) return null
    const startedAt = performance.now()
    const batch = await embedChunks(attempt, target.baseId, value)
    const seconds = (performance.now() - startedAt) / 1000
    attempt.ctx.measurements.embeddedChunks({ chunks: value.length, reused: batch.reused, seconds })
    return batch
  }
  let from = written
  let next = embed()
  for (let batch = await next; batch !== null; batch = await next) {
    // The next batch is embedded while this one is written.
    next = embed()
    // It may fail before this batch is written; the loop awaits it after that.
    next.catch(() => undefined)
    let { reused } = batch
    for (let at = 0; at < batch.embedded.length; at += chunksPerTransaction) {
      const part = batch.embedded.slice(at, at + chunksPerTransaction)
      const statements = runsOfOneDocument(part).map((run) => statementOf(target, run))
      const progress = { done: from + part.length, reused: Math.min(reused, part.length) }
      await withTransaction(attempt.ctx, async (trx) => {
        await count(trx, from, progress)
        for (const statement of statements) await defer(trx, statement.compile(trx), { isReused: true })
      })
      from = progress.done
      reused -= progress.reused
    }
  }
  return from
}

/** Returns the statement that writes chunks of one document. */
function statementOf(target: IndexTarget, run: readonly [EmbeddedChunk, ...EmbeddedChunk[]]) {
  const rows = run.map(({ of, ...each }) => ({ id: newId(), chunk: of.chunk, ...each }))
  return chunksStatement(target, rows, run[0].of.document)
}

interface EmbeddedChunk {
  readonly of: DocumentChunk
  readonly vector: Float32Array
  readonly embeddingKey: Buffer
}

/**
 * Returns one vector for each chunk. A text, with its title and headings, that already has a vector by the same model in the
 * knowledge base is not embedded again, and equal texts are embedded once; `reused` counts the others.
 * @throws SourceError `embedding_failed`
 */
async function embedChunks(
  { ctx, signal }: Pick<Attempt, 'ctx' | 'signal'>,
  baseId: string,
  chunks: readonly DocumentChunk[],
): Promise<{ embedded: EmbeddedChunk[]; reused: number }> {
  const texts = chunks.map(({ chunk, document }) => embeddingText(chunk, document.title ?? undefined))
  const keys = texts.map((text) => embeddingKey(ctx.embedder, text))
  const vectors = await findVectors(ctx, baseId, keys)
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
  const embedded = chunks.map((of, at) => {
    const key = keys[at] ?? Buffer.alloc(0)
    const vector = vectors.get(key.toString('hex'))
    if (vector === undefined) throw new Error('the embedder answered fewer vectors than it was given texts')
    return { of, vector, embeddingKey: key }
  })
  return { embedded, reused: chunks.length - missing.size }
}

/** Yields the chunks after the first `skip`, in batches of `batchSize`. */
async function* batchesOf(
  chunks: AsyncIterable<DocumentChunk> | Iterable<DocumentChunk>,
  skip: number,
): AsyncGenerator<DocumentChunk[], undefined> {
  let batch: DocumentChunk[] = []
  let at = 0
  for await (const chunk of chunks) {
    if (at++ < skip) continue
    batch.push(chunk)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Groups consecutive chunks of the same document. */
function runsOfOneDocument(chunks: readonly EmbeddedChunk[]): [EmbeddedChunk, ...EmbeddedChunk[]][] {
  const runs: [EmbeddedChunk, ...EmbeddedChunk[]][] = []
  for (const each of chunks) {
    const run = runs.at(-1)
    if (run?.[0].of.document === each.of.document) run.push(each)
    else runs.push([each])
  }
  return runs
}
