import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'

/** Notifies dispatchers when the transaction is committed. Events do so themselves. */
export async function notifyDispatchers(ctx: Context, trx: Transaction): Promise<void> {
  await sql`select pg_notify('groundwork_events', ${ctx.organizationId})`.execute(trx)
}
