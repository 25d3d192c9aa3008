import type { Source, UpdateSource } from '@groundwork/api'
import { audit } from '../../audit/audit.ts'
import { withTransaction } from '../../context.ts'
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
    const changed = await trx
      .updateTable('source')
      .set({
        updated_at: ctx.now(),
        ...(input.name !== undefined && { name: input.name }),
        ...(input.enabled !== undefined && { enabled: input.enabled }),
        ...(input.metadata !== undefined && { metadata: changedMetadata(before.metadata, input.metadata) }),
      })
      .where('id', '=', sourceId)
      .returningAll()
      .executeTakeFirstOrThrow()
    const row = input.syncSchedule === undefined ? changed : await scheduleSync(ctx, trx, changed, input.syncSchedule)
    const source = toSource(row, ctx.embedder)
    await audit(ctx, trx, { action: 'source.updated', target: source.id })
    return source
  })
}
