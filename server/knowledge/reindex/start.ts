import type { Reindex, StartReindex } from '@groundwork/api'
import { withTransaction } from '../../context.ts'
import type { KnowledgeContext } from '../context.ts'
import { mergeSettings, storedSettings } from '../rows/settings.ts'
import { beginReindex } from './begin.ts'
import { toReindex } from './record.ts'
import { lockBaseForReindex, lockUnswitchedReindex, blocksReindex } from './rows.ts'

/**
 * Begins to re-index every searchable source of the knowledge base, whose settings are the defaults. Deletes the index that the
 * last switch kept.
 * @throws AppError `not_found` for the knowledge base, `conflict` while another re-index is building or ready,
 * `validation_error` if the settings conflict with each other or with those of a source
 */
export function startReindex(ctx: KnowledgeContext, baseId: string, { switchWhenReady, ...chunking }: StartReindex): Promise<Reindex> {
  return withTransaction(ctx, async (trx) => {
    const base = await lockBaseForReindex(trx, baseId)
    const open = await lockUnswitchedReindex(trx, baseId)
    if (open !== undefined) throw blocksReindex(open)
    const before = storedSettings(base.rag_settings)
    const after = mergeSettings(before, chunking, '')
    return toReindex(trx, await beginReindex(ctx, trx, baseId, { before, after, switchWhenReady, field: 'chunkSize' }))
  })
}
