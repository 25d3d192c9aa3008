import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { identifyingValues } from '../contacts/identifying-values.ts'
import { lockValues } from '../contacts/lock-values.ts'
import type { ContactRow } from '../contacts/record.ts'
import type { Transaction } from '../db/schema.ts'

/** Something changed before it was locked. The transaction has to start again. */
class ChangedMeanwhile extends Error {}

/** Contacts change seldom enough that the second attempt nearly always succeeds. */
const maxAttempts = 10

/** Runs a transaction again if contacts or their proposals changed before they were locked. */
export async function untilLocked<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || count === maxAttempts) throw error
    }
  }
}

/**
 * Locks contacts for a merge, with everything that other transactions lock before a contact, in one order for all transactions:
 * the values by which upserts find contacts, companies, members, proposals, and contacts. So an upsert with a value of a contact
 * waits, and then finds the contact that has the value.
 * @returns the contacts by their ids, also deleted ones
 */
export async function lockForMerge(ctx: Context, trx: Transaction, ids: readonly string[]): Promise<Map<string, ContactRow>> {
  const before = await contactsOf(trx, ids).execute()
  await lockValues(ctx, trx, before.flatMap(identifyingValues))
  const companies = before.flatMap(({ company_id, former_company_id }) => [company_id, former_company_id]).filter((id) => id !== null)
  await sql`select from company where id = any (${companies}::uuid[]) order by id for share`.execute(trx)
  const owners = before.map(({ owner_id }) => owner_id).filter((id) => id !== null)
  await sql`select from membership where user_id = any (${owners}::uuid[]) order by user_id for key share`.execute(trx)
  const proposals = await proposalsOf(trx, ids, true)
  const locked = await contactsOf(trx, ids).orderBy('id').forUpdate().execute()
  const rows = new Map(locked.map((row) => [row.id, row]))
  const isSame =
    locked.length === before.length &&
    before.every((row) => {
      const now = rows.get(row.id)
      return now !== undefined && referencesOf(now) === referencesOf(row)
    })
  if (!isSame || (await proposalsOf(trx, ids, false)).length !== proposals.length) throw new ChangedMeanwhile()
  return rows
}

const contactsOf = (trx: Transaction, ids: readonly string[]) =>
  trx
    .selectFrom('contact')
    .selectAll()
    .where('id', 'in', [...ids])

async function proposalsOf(trx: Transaction, ids: readonly string[], locks: boolean): Promise<object[]> {
  const { rows } = await sql<{ id: string }>`
    select id from proposal where contact_id = any (${ids}::uuid[])
      or id in (select proposal_id from proposal_recipient where contact_id = any (${ids}::uuid[]))
    order by id ${locks ? sql`for update` : sql``}`.execute(trx)
  return rows
}

const referencesOf = (row: ContactRow): string =>
  JSON.stringify([row.deleted_at, row.company_id, row.former_company_id, row.owner_id, identifyingValues(row)])
