import type { Reindex, StartReindex } from '@groundwork/api'
import { atomically, type Context } from '../../context.ts'
import { mergeSettings, storedSettings } from '../bases/settings.ts'
import { beginReindex } from './begin.ts'
import { toReindex } from './record.ts'
import { holdBase, holdUnswitched, standsInTheWay } from './rows.ts'

/**
 * Begins to index every source of the base anew that has something to search; what the input leaves open is as the base is
 * set. What the last switch kept goes.
 * @throws AppError `not_found` for the base, `conflict` while another one is building or ready, `validation_error` when the
 * settings contradict each other or those of a source
 */
export function startReindex(ctx: Context, baseId: string, { switchWhenReady, ...chunking }: StartReindex): Promise<Reindex> {
  return atomically(ctx, async (trx) => {
    const base = await holdBase(trx, baseId)
    const open = await holdUnswitched(trx, baseId)
    if (open !== undefined) throw standsInTheWay(open)
    const before = storedSettings(base.rag_settings)
    const after = mergeSettings(before, chunking, '')
    return toReindex(trx, await beginReindex(ctx, trx, baseId, { before, after, switchWhenReady, field: 'chunkSize' }))
  })
}
