import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'

/** Has dispatchers look for what is due once the transaction is committed. An event does that by itself. */
export async function wakeDispatchers(ctx: Context, trx: Transaction): Promise<void> {
  await sql`select pg_notify('groundwork_events', ${ctx.organizationId})`.execute(trx)
}
