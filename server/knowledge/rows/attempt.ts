import { sourceStages, type SourceStage } from '@groundwork/api'
import type { Selectable, Updateable } from 'kysely'
import { withTransaction } from '../../context.ts'
import { defer } from '../../db/deferred.ts'
import { exceedsQuota } from '../../db/quota-error.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { emitProgress } from '../../events/emit.ts'
import { SourceError } from '../../lib/errors.ts'
import { StorageError } from '../../storage/storage-error.ts'
import type { KnowledgeContext } from '../context.ts'
import { toSource } from './source-record.ts'

/** The source was deleted, or another attempt has begun. */
export class Superseded extends Error {}

/** The data of a processing job. */
export interface ProcessSource {
  organizationId: string
  sourceId: string
  generation: number
}

/** An attempt to process a source. It may write only while its `generation` is the current one of the source. */
export interface Attempt extends ProcessSource {
  readonly ctx: KnowledgeContext
  readonly signal: AbortSignal
}

/**
 * Updates the source if it still belongs to this attempt, and locks its row until the transaction ends: other writes of the
 * transaction are committed only together with it.
 * @throws Superseded
 */
export async function updateFenced(trx: Transaction, attempt: Attempt, changes: Updateable<SourceTable>): Promise<Selectable<SourceTable>> {
  const row = await fenced(trx, attempt)
    .set({ ...changes, updated_at: attempt.ctx.now() })
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw new Superseded(`source ${attempt.sourceId} is no longer processed under generation ${attempt.generation}`)
  return row
}

const fenced = (trx: Transaction, { sourceId, generation }: Attempt) =>
  trx.updateTable('source').where('id', '=', sourceId).where('generation', '=', generation).where('status', '=', 'processing')

/** Returns the columns of a source whose attempt was given up, and whose earlier chunks can still be found. */
export function completedState({ chunks_count }: Selectable<SourceTable>): Updateable<SourceTable> {
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
 * Stores the stage of the attempt, and emits an event for each new stage; `changes` are the results of the stage.
 * @throws Superseded
 */
export async function enterStage(attempt: Attempt, stage: SourceStage, changes: Updateable<SourceTable> = {}): Promise<void> {
  attempt.signal.throwIfAborted()
  const start = { stage, progress_done: 0, progress_total: 0, progress_unit: '', stage_started_at: attempt.ctx.now() }
  await withTransaction(attempt.ctx, async (trx) => {
    const row = await updateFenced(trx, attempt, { ...start, ...changes, progress_from: changes.progress_done ?? 0 })
    if (row.silent || order(row.last_emitted_stage) >= order(stage)) return
    await defer(trx, trx.updateTable('source').set({ last_emitted_stage: stage }).where('id', '=', row.id).compile())
    await emitProgress(attempt.ctx, trx, 'source.processing', toSource(row, attempt.ctx.embedder))
  })
}

const order = (stage: string): number => (sourceStages as readonly string[]).indexOf(stage)

/**
 * Counts a written batch. If the lease of a slow worker expires, two workers can run the same attempt for a moment. Comparing
 * `progress_done` lets only one of them write each batch; the other fails.
 * @throws Superseded, or Error if another worker has written this batch
 */
export async function advance(
  trx: Transaction,
  attempt: Attempt,
  from: number,
  { done, reused }: { done: number; reused: number },
): Promise<void> {
  const counted = await fenced(trx, attempt)
    .set((source) => ({ progress_done: done, progress_reused: source('progress_reused', '+', reused), updated_at: attempt.ctx.now() }))
    .where('progress_done', '=', from)
    .returning('id')
    .executeTakeFirst()
  if (counted !== undefined) return
  await updateFenced(trx, attempt, {})
  throw new Error(`another worker is indexing source ${attempt.sourceId}`)
}

/** Maximum number of attempts after temporary failures, counting the first. With the pauses between them, about 15 seconds. */
const maxAttempts = 5
/** The same while the storage cannot be used: about 5 minutes. */
const maxStorageAttempts = 11

/** Returns whether another attempt may follow this failure. @param retries attempts before this one */
export function isRetried({ code, retryable }: SourceError, retries: number): boolean {
  return retryable && retries + 1 < (code === 'storage_unavailable' ? maxStorageAttempts : maxAttempts)
}

/** Returns the error shown to users: an expected failure as it is, any other as a retryable internal error. */
export function toSourceError(error: unknown, during: 'processing' | 'indexing'): SourceError {
  if (error instanceof SourceError) return error
  if (error instanceof StorageError)
    return new SourceError('storage_unavailable', 'The file storage could not be used.', { retryable: true, cause: error })
  if (exceedsQuota(error)) return new SourceError('quota_exceeded', error.message, { cause: error })
  return new SourceError('internal', `Something went wrong on our side while ${during} this source.`, { retryable: true, cause: error })
}
