import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { authorOf, entryOf, type Author, type Change } from './entry.ts'
import { lastAudited, oldAuditEntries } from './forget.ts'

/**
 * Writes down in the transaction of a change who makes it: both are kept, or neither. For changes without an event;
 * `emit` does the same for those that have one. The author is whoever the context acts for, unless another one is named.
 */
export async function audit(ctx: Context, trx: Transaction, change: Change, author: Author = authorOf(ctx)): Promise<void> {
  const now = ctx.now()
  const { audited } = await trx
    .insertInto('audit_entry')
    .values(entryOf(ctx.organizationId, now, author, change))
    .returning(lastAudited)
    .executeTakeFirstOrThrow()
  await oldAuditEntries.enqueue(ctx, trx, audited, now)
}
