import { sql } from 'kysely'
import { atomically, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { enqueueWork, organizationWork } from '../work.ts'

/** Days for which an entry is kept; the database's own forget_old_audit_entries() holds to the same. */
const keptDays = 400

export const forgetAuditEntriesWork = organizationWork<object>('forget-audit-entries', (ctx) =>
  atomically(ctx, async (trx) => {
    await sql`select forget_old_audit_entries()`.execute(trx)
  }),
)

/** For the statement that adds an entry: when the last one was added before it by who can leave jobs, as the command line cannot. */
export const lastAudited = sql<Date | null>`(
  select created_at from audit_entry as before where actor_type <> 'command_line' order by before.created_at desc limit 1
)`.as('audited')

/** For the transaction that adds an entry: the first one of a day brings the job that forgets all entries of that day. */
export async function enqueueForgetting(ctx: Context, trx: Transaction, before: Date | null, now: Date): Promise<void> {
  if (before !== null && day(before) === day(now)) return
  await enqueueWork(ctx, trx, forgetAuditEntriesWork, {}, { delaySeconds: (keptDays + 1) * 86_400 })
}

const day = (time: Date): string => time.toISOString().slice(0, 10)
