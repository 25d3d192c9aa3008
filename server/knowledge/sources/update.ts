import type { Source, UpdateSource } from '@groundwork/api'
import { audit } from '../../audit/audit.ts'
import { withTransaction } from '../../context.ts'
import { changedColumns, isEmpty } from '../../db/changed-columns.ts'
import type { KnowledgeContext } from '../context.ts'
import { changedMetadata } from './metadata.ts'
import { toSource } from '../rows/source-record.ts'
import { requireSource } from '../rows/require-source.ts'
import { scheduleSync } from './schedule.ts'

/**
 * Changes the name and settings of a source, not its content.
 * @throws AppError `not_found`, `validation_error` for a schedule of an uploaded file or too many metadata keys
 */
export function updateSource(ctx: KnowledgeContext, baseId: string, sourceId: string, input: UpdateSource): Promise<Source> {
  return withTransaction(ctx, async (trx) => {
    const before = await requireSource(trx, baseId, sourceId, 'update')
    const columns = changedColumns(before, {
      ...(input.name !== undefined && { name: input.name }),
      ...(input.enabled !== undefined && { enabled: input.enabled }),
      ...(input.metadata !== undefined && { metadata: changedMetadata(before.metadata, input.metadata) }),
      ...(input.syncSchedule !== undefined && { sync_schedule: input.syncSchedule }),
    })
    if (isEmpty(columns)) return toSource(before, ctx.embedder)
    const changed = await trx
      .updateTable('source')
      .set({ ...columns, updated_at: ctx.now() })
      .where('id', '=', sourceId)
      .returningAll()
      .executeTakeFirstOrThrow()
    const row = columns.sync_schedule === undefined ? changed : await scheduleSync(ctx, trx, changed, columns.sync_schedule)
    const source = toSource(row, ctx.embedder)
    await audit(ctx, trx, { action: 'source.updated', target: source.id })
    return source
  })
}
