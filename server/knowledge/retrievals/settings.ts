import type { CreateBase, UpdateBase } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { Context } from '../../context.ts'
import type { BaseTable, Transaction } from '../../db/schema.ts'
import { dropRetrievals, keepRetrievalsFor } from './retention.ts'

type Columns = Pick<Selectable<BaseTable>, 'log_retrievals' | 'retrieval_days'>

/** Returns the columns of a knowledge base for its log settings. */
export function retrievalLogColumns({
  retrievalLog: { enabled, days } = {},
}: Pick<CreateBase | UpdateBase, 'retrievalLog'>): Partial<Columns> {
  return { ...(enabled !== undefined && { log_retrievals: enabled }), ...(days !== undefined && { retrieval_days: days }) }
}

/** Call it in the transaction that changed a locked knowledge base: deletes rows that the log must not have. */
export async function followLogSettings(ctx: Context, trx: Transaction, before: Selectable<BaseTable>): Promise<void> {
  const now = await trx
    .selectFrom('base')
    .select(['log_retrievals', 'retrieval_days'])
    .where('id', '=', before.id)
    .executeTakeFirstOrThrow()
  if (before.log_retrievals && !now.log_retrievals) {
    await trx.deleteFrom('retrieval').where('base_id', '=', before.id).execute()
    await dropRetrievals(ctx, trx, before.id)
  }
  if (!before.log_retrievals && now.log_retrievals)
    await trx.updateTable('base').set({ retrievals_since: ctx.now() }).where('id', '=', before.id).execute()
  if (before.retrieval_days !== now.retrieval_days) await keepRetrievalsFor(ctx, trx, before.id, now.retrieval_days)
}
