import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import type { ContactValue } from './identifying-values.ts'

/**
 * Locks values of contacts until the transaction ends, also those that no contact has yet, which no row lock can. Transactions with the
 * same value run one after the other. All take the locks in one order, before those of rows.
 */
export async function lockValues({ organizationId }: Context, trx: Transaction, values: readonly ContactValue[]): Promise<void> {
  const keys = [...new Set(values.map(({ field, value }) => `contact ${organizationId} ${field} ${value}`))].toSorted((a, b) =>
    a < b ? -1 : 1,
  )
  await sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) as key`.execute(trx)
}
