import type { ContactJobCounts } from '@groundwork/api'
import { sql } from 'kysely'
import { enqueuePurges } from '../contacts/purge.ts'
import { toContact, type ContactRow } from '../contacts/record.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { emitMany } from '../events/emit.ts'
import { restorableSince } from '../lib/restorable.ts'
import { enqueueVoiding } from '../proposals/of-deleted-contact.ts'
import { ownersOfExternalIds, readContacts } from './chosen.ts'
import { keptCounts, type Kept } from './kept.ts'
import type { ContactJobRow } from './record.ts'

interface Outcome {
  readonly counts: Partial<ContactJobCounts>
  readonly kept: Kept[]
}

/** Deletes a batch of contacts in the transaction, as a bulk change or as the revert of one that restored them; a dry run only counts. */
export async function deleteBatch(ctx: Context, trx: Transaction, job: ContactJobRow, ids: readonly string[]): Promise<Outcome> {
  const rows = (await readContacts(trx, ids, { isLocking: !job.dry_run })).filter(({ deleted_at }) => deleted_at === null)
  const used = await changedSince(trx, job, ids)
  const deleted = rows.filter(({ id }) => !used.has(id))
  if (!job.dry_run) {
    const now = ctx.now()
    await deleteContacts(ctx, trx, deleted, now)
    await noteEffect(trx, job, deleted, { effect: 'deleted', at: now })
    await emitMany(ctx, trx, 'contact.deleted', deleted.map(toContact))
  }
  const kept: Kept[] = rows.filter(({ id }) => used.has(id)).map(({ id }) => ({ contactId: id, field: null, reason: 'used' }))
  return { counts: { deleted: deleted.length, unchanged: ids.length - deleted.length, ...keptCounts(kept) }, kept }
}

/** Restores a batch of contacts, as a bulk change or as the revert of one that deleted them; a dry run only counts. */
export async function restoreBatch(ctx: Context, trx: Transaction, job: ContactJobRow, ids: readonly string[]): Promise<Outcome> {
  const oldest = restorableSince(ctx.now())
  const rows = await readContacts(trx, ids, { isLocking: !job.dry_run })
  const times = await effectTimes(trx, job, ids)
  const merged = await mergedOf(trx, ids)
  const owned = new Set(
    (
      await ownersOfExternalIds(
        trx,
        rows.map(({ external_id }) => external_id),
      )
    ).map(({ external_id }) => external_id),
  )
  const kept: Kept[] = []
  const restored: ContactRow[] = []
  for (const row of rows) {
    if (row.deleted_at === null) continue
    const isOfJob = times === undefined || times.get(row.id) === row.deleted_at.getTime()
    if (!isOfJob || merged.has(row.id) || row.deleted_at <= oldest) kept.push({ contactId: row.id, field: null, reason: 'deleted' })
    else if (owned.has(row.external_id)) kept.push({ contactId: row.id, field: 'externalId', reason: 'taken' })
    else {
      restored.push(row)
      if (row.external_id !== null) owned.add(row.external_id)
    }
  }
  if (!job.dry_run) {
    await sql`update contact set deleted_at = null where id = any (${restored.map(({ id }) => id)}::uuid[])`.execute(trx)
    await noteEffect(trx, job, restored, { effect: 'restored', at: ctx.now() })
    await emitMany(ctx, trx, 'contact.restored', restored.map(toContact))
  }
  return { counts: { restored: restored.length, unchanged: ids.length - restored.length, ...keptCounts(kept) }, kept }
}

/** Deletes contacts, which the transaction has locked. The caller emits the events. */
export async function deleteContacts(ctx: Context, trx: Transaction, rows: readonly ContactRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await sql`update contact set deleted_at = ${now} where id = any (${ids}::uuid[])`.execute(trx)
  await enqueuePurges(ctx, trx, ids, now)
  const { rows: recipients } = await sql<{ contact_id: string }>`
    select distinct contact_id from proposal_recipient where contact_id = any (${ids}::uuid[])`.execute(trx)
  for (const { contact_id } of recipients) await enqueueVoiding(ctx, trx, contact_id)
}

async function noteEffect(
  trx: Transaction,
  { id }: ContactJobRow,
  rows: readonly ContactRow[],
  { effect, at }: { effect: string; at: Date },
): Promise<void> {
  await sql`
    update contact_job_contact set effect = ${effect}, effect_at = ${at}
    where job_id = ${id}::uuid and contact_id = any (${rows.map((row) => row.id)}::uuid[])`.execute(trx)
}

/** Returns when the reverted job deleted or restored contacts, in milliseconds; undefined if the job is no revert. */
async function effectTimes(trx: Transaction, { settings: { jobId } }: ContactJobRow, ids: readonly string[]) {
  if (jobId === undefined) return undefined
  const { rows } = await sql<{ contact_id: string; effect_at: Date }>`
    select contact_id, effect_at from contact_job_contact
    where job_id = ${jobId}::uuid and contact_id = any (${ids}::uuid[]) and effect is not null`.execute(trx)
  return new Map(rows.map(({ contact_id, effect_at }) => [contact_id, effect_at.getTime()]))
}

/** Returns the contacts that were changed since the reverted job restored them. */
async function changedSince(trx: Transaction, { settings: { jobId } }: ContactJobRow, ids: readonly string[]): Promise<Set<string>> {
  if (jobId === undefined) return new Set()
  const { rows } = await sql<{ contact_id: string }>`
    select contact_id from contact_job_contact as chosen
    where job_id = ${jobId}::uuid and contact_id = any (${ids}::uuid[])
      and exists (select from contact_change where contact_change.contact_id = chosen.contact_id and created_at > effect_at)`.execute(trx)
  return new Set(rows.map(({ contact_id }) => contact_id))
}

async function mergedOf(trx: Transaction, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from contact_alias where id = any (${ids}::uuid[])`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}
