import type { AuditAction } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import type { Context } from '../../context.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import { deleteGeneration } from '../index/write.ts'
import { toSource } from '../rows/source-record.ts'
import { deleteDocuments } from '../rows/documents.ts'
import { enqueueProcessing } from './enqueue.ts'
import { firstDocument, sameOrigin, type Origin } from './origin.ts'

/** Begins the first attempt to process a new source, and queues it in the same transaction. */
export async function beginFirst(
  ctx: Context,
  trx: Transaction,
  row: Selectable<SourceTable>,
  origin: Origin,
): Promise<Selectable<SourceTable>> {
  await trx
    .insertInto('document')
    .values({ ...firstDocument(origin), ...ofGeneration(row) })
    .execute()
  return enqueue(ctx, trx, row, 'source.created')
}

/**
 * Begins another attempt under a new generation; a running one ends and leaves nothing behind. The live generation is searched
 * until the attempt is complete. The caller has locked the source's row.
 * @param how the action for the audit log and the new origin; without an origin, that of the live or last generation. A quiet
 * attempt emits nothing until it finds a change or fails.
 */
export async function beginAgain(
  ctx: Context,
  trx: Transaction,
  row: Selectable<SourceTable>,
  how: { action: AuditAction; origin?: Origin } | { silent: true },
): Promise<Selectable<SourceTable>> {
  const origin = 'silent' in how ? undefined : how.origin
  const first = origin === undefined ? await sameOrigin(trx, row) : firstDocument(origin)
  const begun = await trx
    .updateTable('source')
    .set({
      status: 'processing',
      stage: 'queued',
      error: null,
      error_code: null,
      progress_done: 0,
      progress_total: 0,
      progress_unit: '',
      progress_reused: 0,
      progress_from: 0,
      stage_started_at: null,
      last_emitted_stage: 'queued',
      generation: sql<number>`nextval('source_generation')`,
      silent: 'silent' in how,
      // Without a live generation, the record shows the content to be read.
      ...(row.live_generation === null &&
        origin !== undefined && {
          url: origin.url,
          upload_id: origin.upload?.id ?? null,
          bytes: origin.upload?.size_bytes ?? null,
          video: origin.video && JSON.stringify(origin.video),
        }),
      updated_at: ctx.now(),
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('document')
    .values({ ...first, ...ofGeneration(begun) })
    .execute()
  await dropAttempt(ctx, trx, row)
  return enqueue(ctx, trx, begun, 'silent' in how ? null : how.action)
}

/** Deletes the rows of the source's last attempt, unless it is live. */
export async function dropAttempt(ctx: Context, trx: Transaction, row: Selectable<SourceTable>): Promise<void> {
  if (row.generation === row.live_generation) return
  await deleteGeneration(trx, { baseId: row.base_id, generation: row.generation })
  await deleteDocuments(ctx, trx, row.id, row.generation)
}

const ofGeneration = ({ organization_id, id, base_id, generation }: Selectable<SourceTable>) => ({
  organization_id,
  generation,
  ordinal: 0,
  base_id,
  source_id: id,
})

async function enqueue(
  ctx: Context,
  trx: Transaction,
  row: Selectable<SourceTable>,
  action: AuditAction | null,
): Promise<Selectable<SourceTable>> {
  await enqueueProcessing(ctx.jobs, trx, row)
  if (action !== null) await emit(ctx, trx, 'source.processing', toSource(row), action)
  return row
}
