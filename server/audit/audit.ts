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

/** Does the same for changes of many records, in one statement more. */
export async function auditMany(ctx: Context, trx: Transaction, changes: readonly Change[]): Promise<void> {
  const [first, ...others] = changes
  if (first === undefined) return
  await audit(ctx, trx, first)
  if (others.length === 0) return
  const entries = others.map((change) => entryOf(ctx.organizationId, ctx.now(), authorOf(ctx), change))
  await defer(trx, trx.insertInto('audit_entry').values(entries).compile())
}
