import type { Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { beginReindex } from './begin.ts'
import { cancelUnswitched } from './reindexes.ts'
import { chunkingIn, holdUnswitched, settingsOf, standsInTheWay, type Chunking } from './rows.ts'

/**
 * For the transaction that gives a base other settings, and holds it with its sources: where these are to be cut otherwise,
 * that follows by a re-index that switches by itself. Another one of that kind which has not switched yet is replaced; a
 * rollback gives back the settings from before both.
 * @throws AppError `conflict` while a re-index is open that somebody is to switch, `validation_error` when the settings
 * contradict those of a source
 */
export async function followChunking(
  ctx: Context,
  trx: Transaction,
  baseId: string,
  { before, after }: { readonly before: Chunking; readonly after: Chunking },
): Promise<void> {
  if (JSON.stringify(chunkingIn(before)) === JSON.stringify(chunkingIn(after))) return
  const open = await holdUnswitched(trx, baseId)
  if (open !== undefined && !open.switch_when_ready) throw standsInTheWay(open)
  if (open !== undefined) await cancelUnswitched(ctx, trx, open.id)
  if (!(await hasSources(trx, baseId))) return
  const searched = open === undefined ? before : settingsOf(open.settings_before)
  await beginReindex(ctx, trx, baseId, { before: searched, after, switchWhenReady: true, field: 'ragSettings.chunkSize' })
}

/** What is processed just now may have read the former settings: the re-index takes it up when it is completed. */
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
