import type { Selectable } from 'kysely'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import type { KnowledgeContext } from '../context.ts'

type SourceRow = Selectable<SourceTable>

/** Code that follows changes of sources, within the transaction of the change. `knowledge/subscriptions.ts` lists all of it. */
export interface SourceSubscriber {
  /** Follows the end of an attempt to process a source; `row` is its current row, locked. */
  settled(ctx: KnowledgeContext, trx: Transaction, row: SourceRow): Promise<void>
  /** Locks what the deletion of the source changes; `row` is locked. Returns the function that follows the deletion. */
  deleting(ctx: KnowledgeContext, trx: Transaction, row: SourceRow): Promise<() => Promise<void>>
}

export async function notifySettled(ctx: KnowledgeContext, trx: Transaction, row: SourceRow): Promise<void> {
  for (const subscriber of ctx.sourceSubscribers) await subscriber.settled(ctx, trx, row)
}

/** Calls the subscribers before and after `deleteRows`. */
export async function notifyDeletion(
  ctx: KnowledgeContext,
  trx: Transaction,
  row: SourceRow,
  deleteRows: () => Promise<void>,
): Promise<void> {
  const followers: (() => Promise<void>)[] = []
  for (const subscriber of ctx.sourceSubscribers) followers.push(await subscriber.deleting(ctx, trx, row))
  await deleteRows()
  for (const follow of followers) await follow()
}
