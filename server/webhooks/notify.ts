import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { defer } from '../db/deferred.ts'
import type { Transaction } from '../db/schema.ts'

/** Notifies dispatchers when the transaction is committed; the statement is deferred. Events do so themselves. */
export async function notifyDispatchers(ctx: Context, trx: Transaction): Promise<void> {
  await defer(trx, sql`select pg_notify('groundwork_events', ${ctx.organizationId})`.compile(trx))
}
