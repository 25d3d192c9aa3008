import { sql } from 'kysely'
import { AppError } from '../lib/errors.ts'
import type { Transaction } from './schema.ts'

type LimitedTable = 'contact_view' | 'custom_field' | 'proposal_list_view' | 'source_view' | 'webhook_endpoint'

/**
 * Counts the rows of the organization, so that the caller can add one. Transactions that add rows to the same table of the organization
 * run one after the other from here, because two that count at the same time could exceed the maximum together.
 * @throws AppError `conflict` with the message if there are `max` rows
 */
export async function requireBelow(
  trx: Transaction,
  { table, max, message }: { table: LimitedTable; max: number; message: string },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`limit ${table} `} || app_organization(), 0))`.execute(trx)
  const { count } = await trx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= max) throw new AppError('conflict', message)
}
