import { sourceStages, type SourceStage } from '@groundwork/api'
import type { Selectable, Updateable } from 'kysely'
import { atomically, type Context } from '../../context.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { emitNews } from '../../events/emit.ts'
import { toSource } from '../sources/record.ts'
import type { ProcessSource } from './queue.ts'

/** The source was deleted, or another attempt has begun: this one has nothing left to do. */
export class Superseded extends Error {}

/** One attempt to process a source. It may write as long as the source carries its generation. */
export interface Attempt extends ProcessSource {
  readonly ctx: Context
  readonly signal: AbortSignal
}

/**
 * Changes the source if it still belongs to this attempt, and holds its row until the transaction ends: what else the
 * transaction writes is kept only together with a source that wants it.
 * @throws Superseded
 */
export async function updateFenced(
  trx: Transaction,
  { ctx, sourceId, generation }: Attempt,
  changes: Updateable<SourceTable>,
): Promise<Selectable<SourceTable>> {
  const row = await trx
    .updateTable('source')
    .set({ ...changes, updated_at: ctx.now() })
    .where('id', '=', sourceId)
    .where('generation', '=', generation)
    .where('status', '=', 'processing')
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw new Superseded(`source ${sourceId} is no longer processed under generation ${generation}`)
  return row
}

/** A source whose attempt is over and that serves what it served before. */
export function asServing({ chunks_count }: Selectable<SourceTable>): Updateable<SourceTable> {
  return {
    status: 'completed',
    stage: 'done',
    progress_done: chunks_count,
    progress_total: chunks_count,
    progress_unit: 'chunks',
    progress_reused: chunks_count,
  }
}

/**
 * Publishes how far the attempt is, once a stage by an event too; `changes` is what the stage found out.
 * @throws Superseded
 */
export async function enterStage(attempt: Attempt, stage: SourceStage, changes: Updateable<SourceTable> = {}): Promise<void> {
  attempt.signal.throwIfAborted()
  const start = { stage, progress_done: 0, progress_total: 0, progress_unit: '', stage_started_at: attempt.ctx.now() }
  await atomically(attempt.ctx, async (trx) => {
    const row = await updateFenced(trx, attempt, { ...start, ...changes, progress_from: changes.progress_done ?? 0 })
    if (!row.announced || order(row.told_stage) >= order(stage)) return
    await emitNews(attempt.ctx, trx, 'source.processing', toSource(await updateFenced(trx, attempt, { told_stage: stage })))
  })
}

const order = (stage: string): number => (sourceStages as readonly string[]).indexOf(stage)

/**
 * Counts a written batch. Two workers can hold one attempt for a moment, when a lease ran out under a worker that was
 * only slow: the count lets one of them write each batch, the other gives up.
 * @throws Superseded, or Error when another worker has written this batch
 */
export async function advance(
  trx: Transaction,
  attempt: Attempt,
  from: number,
  { done, reused }: { done: number; reused: number },
): Promise<void> {
  const row = await trx
    .selectFrom('source')
    .select(['progress_done', 'progress_reused'])
    .where('id', '=', attempt.sourceId)
    .forUpdate()
    .executeTakeFirst()
  await updateFenced(trx, attempt, { progress_done: done, progress_reused: (row?.progress_reused ?? 0) + reused })
  if (row?.progress_done !== from) throw new Error(`another worker is indexing source ${attempt.sourceId}`)
}
