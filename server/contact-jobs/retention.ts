import { sql } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { enqueueWork, organizationWork } from '../work.ts'

/** Days in which the kept values of a job are listed, and its deletions can be reverted. */
const keptDays = 30

/** Deletes the kept values of a job, and the ids of contacts that it deleted or restored. Deleted contacts are purged at this time. */
export const deleteKeptValuesWork = organizationWork<{ jobId: string }>('delete-kept-values', (ctx, { jobId }) =>
  withTransaction(ctx, async (trx) => {
    await trx.deleteFrom('contact_job_contact').where('job_id', '=', jobId).execute()
    await trx.deleteFrom('contact_job_kept').where('job_id', '=', jobId).execute()
  }),
)

/** Deletes what only a running job needs, and queues the deletion of its list. */
export async function afterEnd(ctx: Context, trx: Transaction, jobId: string): Promise<void> {
  await sql`
    update contact_job set settings = settings - 'filter' - 'set' #- '{recordConsent,source}' #- '{recordConsent,wording}'
    where id = ${jobId}::uuid`.execute(trx)
  // A revert needs the contacts that were deleted or restored.
  await trx.deleteFrom('contact_job_contact').where('job_id', '=', jobId).where('effect', 'is', null).execute()
  await enqueueWork(ctx, trx, deleteKeptValuesWork, { jobId }, { delaySeconds: keptDays * 86_400 })
}
