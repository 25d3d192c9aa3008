import { contentFaults, type NewSource, type ReplaceSource, type Source, type UpsertedSource } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { withTransaction } from '../../context.ts'
import { defer } from '../../db/deferred.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { KnowledgeContext } from '../context.ts'
import { lockBase } from '../rows/bases.ts'
import { mergeSettings, storedSettings } from '../rows/settings.ts'
import { beginAgain, requestedOrigin } from '../ingest/begin.ts'
import { sourceTypes } from '../ingest/source-types.ts'
import { settleUpload } from '../uploads/settle.ts'
import { changedMetadata } from './metadata.ts'
import { toSource } from '../rows/source-record.ts'
import { requireSource } from '../rows/require-source.ts'
import { scheduleSync } from './schedule.ts'
import { insertSource, originOfNewSource } from './sources.ts'

/**
 * Replaces the content of a source. The previous content is searched until the new one is complete.
 * @throws AppError `not_found`, `validation_error` if the input does not fit the type of the source
 */
export async function replaceSource(ctx: KnowledgeContext, baseId: string, sourceId: string, input: ReplaceSource): Promise<Source> {
  await settleUpload(ctx, input.storageUrl)
  return withTransaction(ctx, async (trx) => {
    const row = await requireSource(trx, baseId, sourceId, 'update')
    const [fault] = contentFaults(row.type, input)
    if (fault !== undefined) throw new AppError('validation_error', `${fault.field} ${fault.message}`, { field: fault.field })
    const origin = await requestedOrigin(ctx, trx, row.type, input)
    const settings = sourceTypes[row.type].settings?.(input, row)
    if (settings !== undefined) await defer(trx, trx.updateTable('source').set(settings).where('id', '=', row.id).compile())
    return toSource(await beginAgain(ctx, trx, row, { action: 'source.replaced', origin }), ctx.embedder)
  })
}

/**
 * Adds a source, or replaces the content of the source with the same externalId. Of two concurrent requests, one adds it.
 * @throws AppError `not_found` for the knowledge base, `validation_error` as `addSource`, or if the type differs
 */
export async function upsertSource(ctx: KnowledgeContext, baseId: string, input: NewSource): Promise<UpsertedSource> {
  await settleUpload(ctx, input.storageUrl)
  return withTransaction(ctx, async (trx) => {
    const origin = await originOfNewSource(ctx, trx, baseId, input)
    const added = await insertSource(ctx, trx, baseId, input, origin)
    if (added !== undefined) return { ...added, created: true }
    const before = await trx
      .selectFrom('source')
      .selectAll()
      .where('base_id', '=', baseId)
      .where('external_id', '=', input.externalId ?? '')
      .forUpdate()
      .executeTakeFirst()
    if (before === undefined) throw new AppError('conflict', 'The source with this externalId is being deleted.', { field: 'externalId' })
    if (before.type !== input.type)
      throw new AppError('validation_error', `type must be ${before.type}, as it is for the source with this externalId`, { field: 'type' })
    const changed = await overwrite(ctx, trx, before, input)
    return { ...toSource(await beginAgain(ctx, trx, changed, { action: 'source.replaced', origin }), ctx.embedder), created: false }
  })
}

async function overwrite(
  ctx: KnowledgeContext,
  trx: Transaction,
  before: Selectable<SourceTable>,
  input: NewSource,
): Promise<Selectable<SourceTable>> {
  const { name, metadata, ragSettingsOverride, syncSchedule } = input
  const base = await lockBase(trx, before.base_id, 'share')
  mergeSettings(storedSettings(base.rag_settings), ragSettingsOverride, 'ragSettingsOverride')
  const row = await trx
    .updateTable('source')
    .set({
      name,
      ...sourceTypes[before.type].settings?.(input),
      ...(metadata !== undefined && { metadata: changedMetadata(before.metadata, metadata) }),
      ...(ragSettingsOverride !== undefined && { rag_settings_override: JSON.stringify(ragSettingsOverride) }),
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return syncSchedule === undefined ? row : scheduleSync(ctx, trx, row, syncSchedule)
}
