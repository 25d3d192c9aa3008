import type { SyncSchedule } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { withTransaction } from '../../context.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { enqueueWork, organizationWork } from '../../work.ts'
import type { KnowledgeContext } from '../context.ts'
import { beginAgain } from '../ingest/begin.ts'

interface SyncSource {
  sourceId: string
  /** The `next_sync_at` of this job, ISO 8601. */
  due: string
}

export const syncSourceWork = organizationWork<SyncSource, KnowledgeContext>('sync-source', syncBySchedule)

const periodMs: Record<SyncSchedule, number> = { hourly: 3_600_000, daily: 86_400_000, weekly: 604_800_000 }

/**
 * Schedules automatic syncs of a source, or ends them. Jobs of an earlier schedule do nothing.
 * @throws AppError `validation_error` for an uploaded file, which has no URL
 */
export async function scheduleSync(
  ctx: KnowledgeContext,
  trx: Transaction,
  row: Selectable<SourceTable>,
  schedule: SyncSchedule | null,
): Promise<Selectable<SourceTable>> {
  if (schedule !== null && row.upload_id !== null)
    throw new AppError('validation_error', 'syncSchedule cannot be combined with an uploaded file, which has no URL to sync with', {
      field: 'syncSchedule',
    })
  // Varies by a tenth, so that sources that were added together do not all send requests in the same second.
  const delayMs = schedule === null ? 0 : periodMs[schedule] * (0.9 + 0.2 * Math.random())
  const next = schedule === null ? null : new Date(ctx.now().getTime() + delayMs)
  const changed = await trx
    .updateTable('source')
    .set({ sync_schedule: schedule, next_sync_at: next })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (next !== null) {
    const data: SyncSource = { sourceId: row.id, due: next.toISOString() }
    await enqueueWork(ctx, trx, syncSourceWork, data, { delaySeconds: Math.round(delayMs / 1000) })
  }
  return changed
}

/** Begins a sync, unless the source is already processed, and queues the next one. */
function syncBySchedule(ctx: KnowledgeContext, { sourceId, due }: SyncSource): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    const row = await trx.selectFrom('source').selectAll().where('id', '=', sourceId).forUpdate().executeTakeFirst()
    if (row === undefined || row.next_sync_at?.toISOString() !== due) return
    const scheduled = await scheduleSync(ctx, trx, row, row.sync_schedule)
    if (scheduled.status !== 'processing') await beginAgain(ctx, trx, scheduled, { silent: true })
  })
}
