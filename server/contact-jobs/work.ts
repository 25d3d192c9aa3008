import type { ContactJob, ContactJobCounts } from '@groundwork/api'
import { withTransaction, type Context } from '../context.ts'
import { batchSize } from '../contacts/change-batch.ts'
import type { Transaction } from '../db/schema.ts'
import { emitProgress } from '../events/emit.ts'
import type { Queue } from '../jobs/jobs.ts'
import type { OrganizationWork } from '../work.ts'
import { deleteBatch, restoreBatch } from './deletions.ts'
import { storeKept } from './kept.ts'
import { noCounts, shownJobs, toJob, type ContactJobRow } from './record.ts'
import { afterEnd } from './retention.ts'
import { bulkBatch, chooseBulk } from './bulk.ts'
import { consentBatch } from './consents.ts'
import { chooseReverted, revertBatch } from './revert.ts'

const contactJobQueue: Queue = {
  name: 'contact-jobs',
  retryLimit: 20,
  retryDelaySeconds: 1,
  leaseSeconds: 15,
  timeLimitSeconds: 6 * 3600,
}

/**
 * Changes the contacts of a job. Each transaction changes one batch and stores the id of its last contact, so an interrupted job resumes
 * after that contact.
 */
export const contactJobWork: OrganizationWork<{ jobId: string }> = {
  name: contactJobQueue.name,
  queue: contactJobQueue,
  async run(given, { jobId }, signal) {
    const job = await begin(given, jobId)
    if (job === undefined) return
    const ctx = { ...given, author: { type: job.actor_type, id: job.actor_id } }
    let state: BatchState = 'more'
    while (state === 'more') {
      signal?.throwIfAborted()
      state = await runBatch(ctx, jobId)
    }
    if (state === 'finished') await end(ctx, jobId, 'completed')
  },
  abandoned: (ctx, { jobId }) => end(ctx, jobId, 'failed'),
}

/**
 * Sets the job to `running`. On the first run, it also stores which contacts the job will change, and their number. Returns undefined if
 * the job has ended.
 */
function begin(ctx: Context, id: string): Promise<ContactJobRow | undefined> {
  return withTransaction(ctx, async (trx) => {
    const job = await trx
      .updateTable('contact_job')
      .set({ status: 'running' })
      .where('id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .returningAll()
      .executeTakeFirst()
    if (job === undefined || job.total_contacts !== null) return job
    const total = await (job.type === 'bulk' ? chooseBulk(ctx, trx, job) : chooseReverted(ctx, trx, job))
    await trx.updateTable('contact_job').set({ total_contacts: total }).where('id', '=', id).execute()
    return job
  })
}

/** `finished`: no contacts are left; `stopped`: the job is no longer running (cancelled, or ended by another worker). */
type BatchState = 'more' | 'finished' | 'stopped'

function runBatch(ctx: Context, id: string): Promise<BatchState> {
  return withTransaction(ctx, async (trx) => {
    const job = await trx.selectFrom('contact_job').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (job?.status !== 'running') return 'stopped'
    const ids = await nextContacts(trx, job)
    const last = ids.at(-1)
    if (last === undefined) return 'finished'
    const { counts, kept } = await batchFunctionOf(job)(ctx, trx, job, ids)
    await storeKept(ctx, trx, id, kept)
    await trx
      .updateTable('contact_job')
      .set({ done_contacts: job.done_contacts + ids.length, last_contact_id: last, counts: JSON.stringify(sum(job.counts, counts)) })
      .where('id', '=', id)
      .execute()
    return 'more'
  })
}

function batchFunctionOf({ type, settings: { action } }: ContactJobRow) {
  if (action === 'delete') return deleteBatch
  if (action === 'restore') return restoreBatch
  if (action === 'record_consent') return consentBatch
  return type === 'bulk' ? bulkBatch : revertBatch
}

async function nextContacts(trx: Transaction, { id, last_contact_id }: ContactJobRow): Promise<string[]> {
  const contacts = trx.selectFrom('contact_job_contact').select('contact_id').where('job_id', '=', id)
  const remaining = last_contact_id === null ? contacts : contacts.where('contact_id', '>', last_contact_id)
  const rows = await remaining.orderBy('contact_id').limit(batchSize).execute()
  return rows.map(({ contact_id }) => contact_id)
}

function sum(before: Partial<ContactJobCounts>, added: Partial<ContactJobCounts>): ContactJobCounts {
  const names = Object.keys(noCounts) as (keyof ContactJobCounts)[]
  const total = (name: keyof ContactJobCounts): number => (before[name] ?? 0) + (added[name] ?? 0)
  return { ...noCounts, ...Object.fromEntries(names.map((name) => [name, total(name)])) }
}

/**
 * Ends the job and emits `contact_job.completed` or `contact_job.failed`; a dry run emits no event. Does nothing if it has already ended.
 */
async function end(ctx: Context, id: string, status: 'completed' | 'failed'): Promise<void> {
  await withTransaction(ctx, async (trx) => {
    const row = await trx
      .updateTable('contact_job')
      .set({ status, ended_at: ctx.now() })
      .where('id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .returning('dry_run')
      .executeTakeFirst()
    if (row === undefined) return
    await afterEnd(ctx, trx, id)
    if (row.dry_run) return
    const job = toJob(await shownJobs(trx).where('contact_job.id', '=', id).executeTakeFirstOrThrow())
    await emitProgress(ctx, trx, `contact_job.${status}`, withoutTags(job))
  })
}

/** Removes tags: a tag can contain a person's name, and events are kept after that person is erased. */
const withoutTags = (job: ContactJob): ContactJob => ({ ...job, change: job.change && { ...job.change, addTags: [], removeTags: [] } })
