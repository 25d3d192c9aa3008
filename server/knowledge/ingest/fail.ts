import type { AuditAction, Source } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { withTransaction } from '../../context.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import type { SourceError } from '../../lib/errors.ts'
import type { KnowledgeContext } from '../context.ts'
import { notifySettled } from '../rows/source-subscriber.ts'
import { deleteGeneration } from '../index/write.ts'
import { toSource } from '../rows/source-record.ts'
import { dropAttempt } from './begin.ts'
import { asServing, Superseded, updateFenced, type Attempt } from '../rows/attempt.ts'

/** Fails the attempt if it is still current. */
export async function failSource(attempt: Attempt, reason: SourceError): Promise<void> {
  try {
    await withTransaction(attempt.ctx, async (trx) => endFailed(attempt.ctx, trx, await updateFenced(trx, attempt, {}), reason))
  } catch (error) {
    if (!(error instanceof Superseded)) throw error
  }
}

/**
 * Fails the source's attempt and deletes its rows. A source without earlier content becomes `failed`; one with earlier content
 * stays `completed` and searchable, and its record shows the error. The caller has locked the row.
 */
export async function endFailed(
  ctx: KnowledgeContext,
  trx: Transaction,
  row: Selectable<SourceTable>,
  reason: SourceError,
  action?: AuditAction,
): Promise<Source> {
  const serves = row.live_generation !== null
  const ended = await trx
    .updateTable('source')
    .set({
      ...(serves ? asServing(row) : { status: 'failed' }),
      error: reason.message,
      error_code: reason.code,
      updated_at: ctx.now(),
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (serves) await dropAttempt(ctx, trx, row)
  else await deleteGeneration(trx, { baseId: row.base_id, generation: row.generation })
  await notifySettled(ctx, trx, ended)
  const source = toSource(ended)
  await emit(ctx, trx, 'source.failed', source, action)
  return source
}
