import type { ContactJobCounts, KeptValue } from '@groundwork/api'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'

/** A value, or with null a whole contact, that a job keeps. Ids are those of rows. */
export interface Kept {
  readonly contactId: string
  readonly field: string | null
  readonly reason: KeptValue['reason']
  readonly changeId?: string
}

/** Returns the numbers of kept values and of kept contacts. */
export function keptCounts(kept: readonly Kept[]): Pick<ContactJobCounts, 'valuesKept' | 'contactsKept'> {
  const valuesKept = kept.filter(({ field }) => field !== null).length
  return { valuesKept, contactsKept: kept.length - valuesKept }
}

/** Adds values and contacts to the kept ones of a job. */
export async function storeKept(ctx: Context, trx: Transaction, jobId: string, kept: readonly Kept[]): Promise<void> {
  if (kept.length === 0) return
  const now = ctx.now()
  const rows = kept.map(({ contactId, field, reason, changeId }) => ({
    id: newId(now.getTime()),
    contact_id: contactId,
    field,
    reason,
    change_id: changeId ?? null,
  }))
  await sql`
    insert into contact_job_kept (organization_id, job_id, id, contact_id, field, reason, change_id, created_at)
    select ${ctx.organizationId}::uuid, ${jobId}::uuid, id, contact_id, field, reason, change_id, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given (id uuid, contact_id uuid, field text, reason text, change_id uuid)`.execute(trx)
}
