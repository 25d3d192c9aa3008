import type { Context } from '../context.ts'
import { defer } from '../db/deferred.ts'
import type { Transaction } from '../db/schema.ts'
import { authorOf, entryOf, type Author, type Change } from './entry.ts'
import { lastAudited, auditRetention } from './retention.ts'

/**
 * Adds an audit entry in the transaction of a change: both are committed, or neither. For changes without an event; `emit` adds
 * the entry of those that have one. The author is the context's actor by default.
 */
export async function audit(ctx: Context, trx: Transaction, change: Change, author: Author = authorOf(ctx)): Promise<void> {
  const now = ctx.now()
  const entry = trx.insertInto('audit_entry').values(entryOf(ctx.organizationId, now, author, change))
  if (auditRetention.isEnqueued(ctx, now)) return defer(trx, entry.compile())
  const { audited } = await entry.returning(lastAudited).executeTakeFirstOrThrow()
  await auditRetention.enqueue(ctx, trx, audited, now)
}
