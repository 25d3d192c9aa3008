import { sql, type RawBuilder } from 'kysely'
import type { ContactRow } from '../contacts/record.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'

/**
 * Adds contacts to a job.
 * @param contacts SQL for distinct rows with the column `contact_id`
 * @returns the number of contacts
 */
export async function addContacts(ctx: Context, trx: Transaction, jobId: string, contacts: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into contact_job_contact (organization_id, job_id, contact_id)
    select ${ctx.organizationId}::uuid, ${jobId}::uuid, contact_id from (${contacts}) as chosen`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** Returns contacts in the order of their ids, in which all transactions lock them. Erased ones are missing, also if an empty row is left. */
export async function readContacts(trx: Transaction, ids: readonly string[], { isLocking }: { isLocking: boolean }): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`
    select * from contact where id = any (${ids}::uuid[]) and erased_at is null order by id ${isLocking ? sql`for update` : sql``}`.execute(
    trx,
  )
  return rows
}

/** Returns the contacts that have one of the externalIds now. */
export async function ownersOfExternalIds(
  trx: Transaction,
  externalIds: readonly (string | null)[],
): Promise<{ id: string; external_id: string | null }[]> {
  const wanted = externalIds.filter((externalId) => externalId !== null)
  if (wanted.length === 0) return []
  return trx
    .selectFrom('contact')
    .select(['id', 'external_id'])
    .where(sql<boolean>`external_id = any (${wanted}::text[])`)
    .where('deleted_at', 'is', null)
    .execute()
}
