import { wireId, type BulkChange, type ContactJob, type KeptValue, type ListContactJobs, type RevertContacts } from '@groundwork/api'
import { sql } from 'kysely'
import { audit } from '../audit/audit.ts'
import { authorOf } from '../audit/entry.ts'
import { presentContact } from '../contact-merges/survivor.ts'
import { withFieldIds } from '../contacts/filter-fields.ts'
import { contactCondition } from '../contacts/filter.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import { rawId } from '../contacts/history-columns.ts'
import { select, withTransaction, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { ContactJobSettings, Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { pastTime } from '../lib/past-time.ts'
import { enqueueWork } from '../work.ts'
import { isChosen, lockSetValues } from './bulk.ts'
import { addContacts } from './chosen.ts'
import { shownJobs, toJob, toKept } from './record.ts'
import { afterEnd } from './retention.ts'
import { contactJobWork } from './work.ts'

/**
 * Queues the revert of the changes of an author, an import or a bulk change.
 * @throws AppError `forbidden` for an agent, and for a member unless it is the author of the changes, the import or the bulk change;
 * `validation_error`, field `actorId`, `importId` or `jobId`
 */
export function revertContacts(ctx: Context, { dryRun, since, ...source }: RevertContacts): Promise<ContactJob> {
  requirePerson(ctx)
  const settings = { ...source, ...(since !== undefined && { since: storableTime(since) }) }
  return withTransaction(ctx, async (trx) => {
    await requireSource(trx, settings)
    await requireOwnSource(ctx, trx, settings)
    return createJob(ctx, trx, 'revert', { settings: { ...settings, action: await actionOfRevert(trx, settings) }, dryRun })
  })
}

const lastTime = Date.UTC(9999, 11, 31)

/** Returns the time in a form that the database reads, which has no year 0 and 10000 of ISO 8601. */
const storableTime = (time: string): string => new Date(Math.min(Math.max(new Date(time).getTime(), 0), lastTime)).toISOString()

/** A revert of deletions restores, and one of restorations deletes. */
async function actionOfRevert(trx: Transaction, { jobId }: ContactJobSettings): Promise<ContactJobSettings['action']> {
  if (jobId === undefined) return undefined
  const { settings } = await trx.selectFrom('contact_job').select('settings').where('id', '=', jobId).executeTakeFirstOrThrow()
  return settings.action === 'delete' ? 'restore' : settings.action === 'restore' ? 'delete' : undefined
}

/**
 * Members can revert their own changes, imports and bulk changes, as they could change the contacts.
 * @throws AppError `forbidden` for a user who is neither owner nor admin, about changes of others
 */
async function requireOwnSource({ actor }: Context, trx: Transaction, { actorId, importId, jobId }: ContactJobSettings): Promise<void> {
  if (actor?.kind !== 'user' || actor.role === 'owner' || actor.role === 'admin') return
  if (actorId === wireId('usr', actor.userId)) return
  const run =
    jobId !== undefined
      ? await trx.selectFrom('contact_job').select(['actor_type', 'actor_id']).where('id', '=', jobId).executeTakeFirst()
      : importId !== undefined
        ? await trx.selectFrom('contact_import').select(['actor_type', 'actor_id']).where('id', '=', importId).executeTakeFirst()
        : undefined
  if (run?.actor_type === 'user' && run.actor_id === actor.userId) return
  throw new AppError('forbidden', 'Only owners and admins can revert changes of others.')
}

async function requireSource(trx: Transaction, { actorId, importId, jobId }: ContactJobSettings): Promise<void> {
  if (jobId !== undefined) {
    const found = await trx.selectFrom('contact_job').select('id').where('id', '=', jobId).where('type', '=', 'bulk').executeTakeFirst()
    if (found === undefined) throw new AppError('validation_error', 'jobId: there is no such bulk change', { field: 'jobId' })
    return
  }
  if (importId !== undefined) {
    const found = await trx.selectFrom('contact_import').select('id').where('id', '=', importId).executeTakeFirst()
    if (found === undefined) throw new AppError('validation_error', 'importId: there is no such import', { field: 'importId' })
    return
  }
  const id = rawId(actorId)
  const { rows } = await sql`
    select from api_token where id = ${id}::uuid
    union all select from membership where user_id = ${id}::uuid
    union all (select from contact_change where actor_id = ${id}::uuid limit 1)`.execute(trx)
  if (rows.length === 0) throw new AppError('validation_error', 'actorId: there is no such token or user', { field: 'actorId' })
}

/**
 * Queues a bulk change.
 * @throws AppError `forbidden` for an agent; `validation_error` for an unknown key of the filter, a consent in the future, or a contact,
 * company, member or custom field that does not exist
 */
export async function bulkChange(ctx: Context, input: BulkChange): Promise<ContactJob> {
  requirePerson(ctx)
  const { dryRun, contactIds: ids, delete: deletes, restore, filter: given, recordConsent: consent, ...change } = input
  const action = deletes ? 'delete' : restore ? 'restore' : consent === undefined ? 'update' : 'record_consent'
  const at = consent?.at === undefined ? undefined : pastTime(ctx.now(), consent.at, 'recordConsent.at').toISOString()
  const recordConsent = consent && { ...consent, at }
  const filter = given === undefined ? undefined : await withFieldIds(ctx, given)
  if (filter !== undefined) contactCondition(filter)
  return withTransaction(ctx, async (trx) => {
    await requireValues(trx, change.set)
    const contactIds = ids === undefined ? undefined : await requireContacts(ctx, trx, ids, action)
    const job = await createJob(ctx, trx, 'bulk', {
      settings: { ...change, filter, recordConsent, action, fields: Object.keys(change.set ?? {}) },
      dryRun,
    })
    if (contactIds !== undefined) await addContacts(ctx, trx, job.id.slice(-36), sql`select unnest(${contactIds}::uuid[]) as contact_id`)
    return job
  })
}

/** @throws AppError `validation_error`, field `set…` */
async function requireValues(trx: Transaction, set: BulkChange['set']): Promise<void> {
  try {
    await lockSetValues(trx, set)
  } catch (error) {
    if (!(error instanceof AppError) || error.field === undefined) throw error
    throw new AppError(error.code, `set.${error.message}`, { field: `set.${error.field}`, cause: error })
  }
}

/**
 * Returns the ids of the contacts, each once. Deleting and restoring need the present id of a contact, as for one contact.
 * @throws AppError `validation_error`, field `contactIds…`
 */
async function requireContacts(
  ctx: Context,
  trx: Transaction,
  ids: readonly string[],
  action: ContactJobSettings['action'],
): Promise<string[]> {
  const named = action === 'delete' || action === 'restore' ? sql`given.id` : presentContact(sql`given.id`)
  const { rows } = await sql<{ given: string; id: string }>`
    select given.id as given, contact.id from unnest(${ids}::uuid[]) as given (id) join contact on contact.id = ${named}
    where ${isChosen(ctx, { action })}`.execute(trx)
  const found = new Set(rows.map(({ given }) => given))
  const missing = ids.findIndex((id) => !found.has(id))
  if (missing === -1) return [...new Set(rows.map(({ id }) => id))]
  const field = `contactIds.${missing}`
  throw new AppError('validation_error', `${field}: there is no contact ${wireId('ctc', ids[missing] ?? '')}`, { field })
}

interface NewJob {
  readonly settings: ContactJobSettings
  readonly dryRun: boolean
}

async function createJob(ctx: Context, trx: Transaction, type: ContactJob['type'], { settings, dryRun }: NewJob): Promise<ContactJob> {
  const now = ctx.now()
  const id = newId(now.getTime())
  const author = authorOf(ctx)
  await trx
    .insertInto('contact_job')
    .values({
      organization_id: ctx.organizationId,
      id,
      type,
      status: 'queued',
      dry_run: dryRun,
      settings: JSON.stringify(settings),
      actor_type: author.type,
      actor_id: author.id,
      created_at: now,
    })
    .execute()
  await enqueueWork(ctx, trx, contactJobWork, { jobId: id })
  await audit(ctx, trx, { action: 'contact_job.created', target: wireId('job', id) })
  return shownJob(trx, id)
}

async function shownJob(trx: Transaction, id: string): Promise<ContactJob> {
  const row = await shownJobs(trx).where('contact_job.id', '=', id).executeTakeFirst()
  if (row === undefined) throw noSuchJob()
  return toJob(row)
}

/** @throws AppError `not_found` */
export const getJob = (ctx: Context, id: string): Promise<ContactJob> => withTransaction(ctx, (trx) => shownJob(trx, id))

/** @throws AppError `bad_request`, field `cursor` */
export async function listJobs(ctx: Context, input: ListContactJobs): Promise<{ data: ContactJob[]; nextCursor: string | null }> {
  const found = await select(ctx, (db) => newestFirst(shownJobs(db), 'contact_job', input))
  const { rows, nextCursor } = pageOf(found, input.limit)
  return { data: rows.map(toJob), nextCursor }
}

/**
 * Ends a job before its next contacts.
 * @throws AppError `not_found`; `conflict` if it has ended
 */
export async function cancelJob(ctx: Context, id: string): Promise<ContactJob> {
  requirePerson(ctx)
  return withTransaction(ctx, async (trx) => {
    const row = await trx.selectFrom('contact_job').select('status').where('id', '=', id).forUpdate().executeTakeFirst()
    if (row === undefined) throw noSuchJob()
    if (row.status !== 'queued' && row.status !== 'running') throw new AppError('conflict', `The job is ${row.status} already.`)
    await trx.updateTable('contact_job').set({ status: 'cancelled', ended_at: ctx.now() }).where('id', '=', id).execute()
    await afterEnd(ctx, trx, id)
    await audit(ctx, trx, { action: 'contact_job.cancelled', target: wireId('job', id) })
    return shownJob(trx, id)
  })
}

/**
 * Lists what a job has kept.
 * @throws AppError `not_found`; `bad_request`, field `cursor`
 */
export function listKept(ctx: Context, id: string, input: ListContactJobs): Promise<{ data: KeptValue[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    await shownJob(trx, id)
    const kept = trx.selectFrom('contact_job_kept').selectAll().where('job_id', '=', id)
    const { rows, nextCursor } = pageOf(await newestFirst(kept, 'contact_job_kept', input).execute(), input.limit)
    return { data: rows.map(toKept), nextCursor }
  })
}

const noSuchJob = (): AppError => new AppError('not_found', 'There is no such job.')
