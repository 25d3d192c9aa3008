import { sql } from 'kysely'
import { atomically, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { enqueueWork, organizationWork } from '../work.ts'

/** Days for which an event is kept; the database's own forget_old_events() holds to the same. */
const keptDays = 90

export const forgetEventsWork = organizationWork<object>('forget-events', (ctx) =>
  atomically(ctx, async (trx) => {
    await sql`select forget_old_events()`.execute(trx)
  }),
)

/**
 * For the transaction that adds an event: the first one of a day brings the job that forgets all events of that day.
 * Two that come first at once bring two jobs, of which the second finds nothing.
 */
export async function enqueueForgetting(ctx: Context, trx: Transaction, before: Date | null, now: Date): Promise<void> {
  if (before !== null && day(before) === day(now)) return
  await enqueueWork(ctx, trx, forgetEventsWork, {}, { delaySeconds: (keptDays + 1) * 86_400 })
}

const day = (time: Date): string => time.toISOString().slice(0, 10)
