import { sql, type RawBuilder } from 'kysely'
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
