import type { Transaction } from '../../db/schema.ts'
import type { KnowledgeContext } from '../context.ts'
import { beginReindex } from './begin.ts'
import { cancelUnswitched } from './reindexes.ts'
import { chunkingIn, lockUnswitchedReindex, settingsOf, blocksReindex, type Chunking } from './rows.ts'

/**
 * Begins a re-index that switches by itself if the chunking settings of a knowledge base change. Call it in the transaction of
 * the change, with the knowledge base and its sources locked. Replaces an earlier automatic re-index that has not switched; a
 * rollback restores the settings from before both.
 * @throws AppError `conflict` while a manual re-index is open, `validation_error` if the settings conflict with those of a
 * source
 */
export async function followChunking(
  ctx: KnowledgeContext,
  trx: Transaction,
  baseId: string,
  { before, after }: { readonly before: Chunking; readonly after: Chunking },
): Promise<void> {
  if (JSON.stringify(chunkingIn(before)) === JSON.stringify(chunkingIn(after))) return
  const open = await lockUnswitchedReindex(trx, baseId)
  if (open !== undefined && !open.switch_when_ready) throw blocksReindex(open)
  if (open !== undefined) await cancelUnswitched(ctx, trx, open.id)
  if (!(await hasSources(trx, baseId))) return
  const searched = open === undefined ? before : settingsOf(open.settings_before)
  await beginReindex(ctx, trx, baseId, { before: searched, after, switchWhenReady: true, field: 'ragSettings.chunkSize' })
}

/** A source that is being processed may have read the former settings: the re-index includes it when it is completed. */
async function hasSources(trx: Transaction, baseId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('source')
    .select('id')
    .where('base_id', '=', baseId)
    .where((where) => where.or([where('live_generation', 'is not', null), where('status', '=', 'processing')]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
