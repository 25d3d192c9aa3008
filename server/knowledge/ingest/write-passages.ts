import { withTransaction } from '../../context.ts'
import { defer } from '../../db/deferred.ts'
import type { Transaction } from '../../db/schema.ts'
import { newId } from '../../lib/ids.ts'
import { embeddingText } from '../chunk/embedding-text.ts'
import { embeddingKey, findVectors } from '../index/stored-vectors.ts'
import { chunksStatement, type IndexTarget, type Passage } from '../index/write.ts'
import type { Attempt } from '../rows/attempt.ts'

/** Chunks that are embedded together. */
const batchSize = 96
/**
 * Chunks per transaction: few enough that other statements do not wait long. Writing 96 chunks takes the embedded engine 100 ms on a
 * machine with both cores busy.
 */
const chunksPerTransaction = 48

/**
 * Embeds passages and writes them under a generation that no search reads, each batch in two transactions.
 * @param written number of passages that are already written
 * @param count runs first in each transaction; it throws to reject the transaction
 * @returns the number of written passages
 * @throws SourceError `embedding_failed`; errors of `count`
 */
export async function writePassages(
  attempt: Pick<Attempt, 'ctx' | 'signal'>,
  target: IndexTarget,
  passages: AsyncIterable<Passage> | Iterable<Passage>,
  written: number,
  count: (trx: Transaction, from: number, batch: { done: number; reused: number }) => Promise<void>,
): Promise<number> {
  const batches = batchesOf(passages, written)
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

/** Returns the statement that writes passages of one document. */
function statementOf(target: IndexTarget, run: readonly [EmbeddedPassage, ...EmbeddedPassage[]]) {
  const rows = run.map(({ passage, ...each }) => ({ id: newId(), chunk: passage.chunk, ...each }))
  return chunksStatement(target, rows, run[0].passage.document)
}

interface EmbeddedPassage {
  readonly passage: Passage
  readonly vector: Float32Array
  readonly embeddingKey: Buffer
}

/**
 * Returns one vector for each passage. A text, with its title and headings, that already has a vector by the same model in the
 * knowledge base is not embedded again, and equal texts are embedded once; `reused` counts the others.
 * @throws SourceError `embedding_failed`
 */
async function embedChunks(
  { ctx, signal }: Pick<Attempt, 'ctx' | 'signal'>,
  baseId: string,
  passages: readonly Passage[],
): Promise<{ embedded: EmbeddedPassage[]; reused: number }> {
  const texts = passages.map(({ chunk, document }) => embeddingText(chunk, document.title ?? undefined))
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
  const embedded = passages.map((passage, at) => {
    const key = keys[at] ?? Buffer.alloc(0)
    const vector = vectors.get(key.toString('hex'))
    if (vector === undefined) throw new Error('the embedder answered fewer vectors than it was given texts')
    return { passage, vector, embeddingKey: key }
  })
  return { embedded, reused: passages.length - missing.size }
}

/** Yields the passages after the first `skip`, in batches of `batchSize`. */
async function* batchesOf(passages: AsyncIterable<Passage> | Iterable<Passage>, skip: number): AsyncGenerator<Passage[], undefined> {
  let batch: Passage[] = []
  let at = 0
  for await (const passage of passages) {
    if (at++ < skip) continue
    batch.push(passage)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Groups consecutive passages of the same document. */
function runsOfOneDocument(passages: readonly EmbeddedPassage[]): [EmbeddedPassage, ...EmbeddedPassage[]][] {
  const runs: [EmbeddedPassage, ...EmbeddedPassage[]][] = []
  for (const each of passages) {
    const run = runs.at(-1)
    if (run?.[0].passage.document === each.passage.document) run.push(each)
    else runs.push([each])
  }
  return runs
}
