import { wireId, type ContactJobCounts } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { auditMany } from '../audit/audit.ts'
import { addConsents, consentsOf } from '../consent/add-consents.ts'
import { recordChanges } from '../contacts/changes.ts'
import { requireIdentity } from '../contacts/given-columns.ts'
import { columnsOfValues, rawId } from '../contacts/history-columns.ts'
import { toContact, type ContactRow } from '../contacts/record.ts'
import { changeContacts } from '../contacts/write-many.ts'
import type { Context } from '../context.ts'
import { formerCustomValues } from '../custom-fields/former-values.ts'
import { changedColumns } from '../db/changed-columns.ts'
import type { Transaction } from '../db/schema.ts'
import { emitMany } from '../events/emit.ts'
import { refusedOr } from '../lib/errors.ts'
import { addContacts, ownersOfExternalIds, readContacts } from './chosen.ts'
import { contactsWithOtherConsent, contactsWithReverted, planConsents, revertsConsent } from './consents.ts'
import { deleteContacts } from './deletions.ts'
import { keptCounts, type Kept } from './kept.ts'
import { keepField, planRevert, type RevertPlan, type StoredChange } from './plan-revert.ts'
import type { ContactJobRow } from './record.ts'
import { lockReferences, type References } from './references.ts'

/** Adds the contacts that the author or the import has changed to the job. Returns their number. */
export function chooseReverted(ctx: Context, trx: Transaction, job: ContactJobRow): Promise<number> {
  const { id, settings } = job
  const { importId, jobId } = settings
  const actorId = rawId(settings.actorId)
  const since = sql`created_at >= ${settings.since ?? '-infinity'}::timestamptz`
  const changed = (source: RawBuilder<unknown>) => sql`select contact_id from contact_change where ${source} and ${since}`
  const contacts =
    importId !== undefined
      ? changed(sql`how = 'imported' and reference = ${wireId('imp', importId)}`)
      : jobId !== undefined
        ? sql`${changed(sql`job_id = ${jobId}::uuid`)}
            union select contact_id from contact_job_contact where job_id = ${jobId}::uuid and effect is not null`
        : sql`${changed(sql`actor_id = ${actorId}::uuid`)}
            union select contact_id from contact_suggestion where actor_id = ${actorId}::uuid and status = 'pending' and ${since}`
  return addContacts(ctx, trx, id, sql`select distinct contact_id from (${contacts} union ${contactsWithReverted(job)}) as changed`)
}

/** Returns whether a job reverts a change. Clients can name an import as the origin of their values; jobs of imports have no author. */
function isRevertedBy({ settings }: ContactJobRow): (change: StoredChange) => boolean {
  const { importId, jobId, since } = settings
  const actorId = rawId(settings.actorId)
  const isSince = since === undefined ? () => true : ({ created_at }: StoredChange) => created_at >= new Date(since)
  if (jobId !== undefined) return (change) => change.job_id === jobId && isSince(change)
  if (importId === undefined) return (change) => change.actor_id === actorId && isSince(change)
  const reference = wireId('imp', importId)
  return (change) => change.how === 'imported' && change.actor_id === null && change.reference === reference && isSince(change)
}

interface Planned {
  readonly row: ContactRow
  readonly plan: RevertPlan
}

/** Reverts a batch of contacts in the transaction; a dry run only counts. */
export async function revertBatch(
  ctx: Context,
  trx: Transaction,
  job: ContactJobRow,
  ids: readonly string[],
): Promise<{ counts: Partial<ContactJobCounts>; kept: Kept[] }> {
  const unlocked = await planContacts(trx, job, ids, false)
  const references = await lockReferences(
    trx,
    unlocked.map(({ plan }) => plan.values),
  )
  const planned = job.dry_run ? unlocked : await planContacts(trx, job, ids, true)
  const possible = await keepTaken(
    trx,
    planned.map(({ row, plan }) => ({ row, plan: keepRequired(row, keepUnusable(row, plan, references)) })),
  )
  const changed = possible.filter(({ plan }) => Object.keys(plan.values).length > 0)
  const deleted = possible.filter(({ plan }) => plan.deletes)
  const existing = possible.filter(({ row, plan }) => row.deleted_at === null && !plan.deletes).map(({ row }) => row)
  const consents = await planConsents(ctx, trx, job, existing)
  const kept = [...possible.flatMap(({ plan }) => plan.kept), ...consents.kept]
  const suggestionIds = await pendingSuggestions(trx, job, ids)
  if (!job.dry_run) {
    await dismiss(ctx, trx, suggestionIds)
    const gone = deleted.map(({ row }) => row)
    await deleteContacts(ctx, trx, gone, ctx.now())
    const result = await changeValues(ctx, trx, job, changed)
    const consented = await addConsents(ctx, trx, consents.added)
    const after = new Map([...result, ...[...consented.values()].map(toContact)].map((contact) => [contact.id, contact]))
    await emitMany(ctx, trx, 'contact.deleted', gone.map(toContact))
    await emitMany(ctx, trx, 'contact.updated', [...after.values()])
  }
  const changedIds = new Set([...changed.map(({ row }) => row.id), ...consents.added.map(({ contactId }) => contactId)])
  return {
    counts: {
      changed: changedIds.size,
      deleted: deleted.length,
      unchanged: ids.length - changedIds.size - deleted.length,
      valuesReverted: changed.reduce((total, { plan }) => total + Object.keys(plan.values).length, consents.added.length),
      ...keptCounts(kept),
      suggestionsDismissed: suggestionIds.length,
    },
    kept,
  }
}

async function planContacts(trx: Transaction, job: ContactJobRow, ids: readonly string[], isLocking: boolean): Promise<Planned[]> {
  const rows = await readContacts(trx, ids, { isLocking })
  const changes = await trx
    .selectFrom('contact_change')
    .selectAll()
    .where(sql<boolean>`contact_id = any (${ids}::uuid[])`)
    .orderBy('contact_id')
    .orderBy('position')
    .execute()
  const values = await formerCustomValues(
    trx,
    changes.map(({ changed }) => changed),
  )
  const changesOf = new Map<string, StoredChange[]>(ids.map((id) => [id, []]))
  for (const { changed, former, ...change } of changes) {
    const converted = { changed: values.converted(changed), former: former && values.converted(former) }
    changesOf.get(change.contact_id)?.push({ ...change, ...converted })
  }
  const isReverted = isRevertedBy(job)
  const used = await usedContacts(trx, job, ids)
  return rows.map((row) => ({
    row,
    plan: planRevert({ row, changes: changesOf.get(row.id) ?? [], isUsed: used.has(row.id) || row.merged_ids.length > 0 }, isReverted),
  }))
}

/** Returns the contacts with activities or proposals that the reverted author has not recorded, or with a consent that others changed. */
async function usedContacts(trx: Transaction, job: ContactJobRow, ids: readonly string[]): Promise<Set<string>> {
  const actorId = rawId(job.settings.actorId)
  const isOfOthers = actorId === null ? sql`true` : sql`actor_id is distinct from ${actorId}::uuid`
  const { rows } = await sql<{ contact_id: string }>`
    select contact_id from activity where contact_id = any (${ids}::uuid[]) and ${isOfOthers}
    union select contact_id from proposal where contact_id = any (${ids}::uuid[])
    union select contact_id from proposal_recipient where contact_id = any (${ids}::uuid[])`.execute(trx)
  const withOthers = contactsWithOtherConsent(await consentsOf(trx, ids), revertsConsent(job))
  return new Set([...rows.map(({ contact_id }) => contact_id), ...withOthers])
}

/** Keeps fields whose former value refers to something that does not exist any more, or that their custom field does not accept. */
function keepUnusable({ id }: ContactRow, plan: RevertPlan, references: References): RevertPlan {
  let usable = plan
  for (const [field, value] of Object.entries(plan.values)) {
    const reason = references.faultOf(field, value)
    if (reason !== undefined) usable = keepField(usable, id, field, reason)
  }
  return usable
}

const identityFields = ['emails', 'phones', 'firstName', 'lastName']

/** Keeps the fields without which the contact would have no email, phone or full name. */
function keepRequired(row: ContactRow, plan: RevertPlan): RevertPlan {
  const after: ContactRow = { ...row, ...columnsOfValues(plan.values, row) }
  if (refusedOr(() => requireIdentity(after)) === undefined) return plan
  const required = identityFields.filter((field) => Object.hasOwn(plan.values, field))
  return required.reduce((kept, field) => keepField(kept, row.id, field, 'required'), plan)
}

/** Keeps the externalId of contacts whose former one belongs to a contact that does not lose it in the same batch. */
async function keepTaken(trx: Transaction, planned: readonly Planned[]): Promise<readonly Planned[]> {
  const wanted = planned.map(({ plan }) => plan.values['externalId']).filter((value) => typeof value === 'string')
  if (wanted.length === 0) return planned
  const owners = await ownersOfExternalIds(trx, wanted)
  for (let before = planned; ;) {
    const leaving = new Set(before.filter(({ plan }) => plan.deletes || Object.hasOwn(plan.values, 'externalId')).map(({ row }) => row.id))
    const taken = new Set<unknown>(owners.filter(({ id }) => !leaving.has(id)).map(({ external_id }) => external_id))
    const after = before.map(({ row, plan }) => {
      const value = plan.values['externalId']
      if (typeof value !== 'string') return { row, plan }
      if (taken.has(value)) return { row, plan: keepField(plan, row.id, 'externalId', 'taken') }
      taken.add(value)
      return { row, plan }
    })
    // A contact that keeps its externalId can be in the way of another one.
    if (after.every(({ plan }, at) => plan === before[at]?.plan)) return after
    before = after
  }
}

async function pendingSuggestions(trx: Transaction, { settings }: ContactJobRow, ids: readonly string[]): Promise<string[]> {
  const actorId = rawId(settings.actorId)
  if (actorId === null) return []
  const { rows } = await sql<{ id: string }>`
    select id from contact_suggestion where contact_id = any (${ids}::uuid[]) and actor_id = ${actorId}::uuid and status = 'pending'
      and created_at >= ${settings.since ?? '-infinity'}::timestamptz order by id`.execute(trx)
  return rows.map(({ id }) => id)
}

async function dismiss(ctx: Context, trx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`update contact_suggestion set status = 'dismissed', decided_at = ${ctx.now()} where id = any (${ids}::uuid[])`.execute(trx)
  await auditMany(
    ctx,
    trx,
    ids.map((id) => ({ action: 'suggestion.dismissed', target: wireId('sug', id) })),
  )
}

async function changeValues(ctx: Context, trx: Transaction, job: ContactJobRow, planned: readonly Planned[]) {
  const changes = planned.map(({ row, plan }) => ({ before: row, columns: changedColumns(row, columnsOfValues(plan.values, row)) }))
  const leaving = changes.filter(({ before, columns }) => before.external_id !== null && Object.hasOwn(columns, 'external_id'))
  // Contacts can exchange their externalId, which the unique index compares row by row.
  if (leaving.length > 1)
    await sql`update contact set external_id = null where id = any (${leaving.map(({ before }) => before.id)}::uuid[])`.execute(trx)
  const rows = await changeContacts(trx, changes, ctx.now())
  const origin = { how: 'reverted', reference: wireId('job', job.id), jobId: job.id } as const
  const results = planned.flatMap(({ row, plan }) => {
    const after = rows.get(row.id)
    return after === undefined ? [] : [{ before: toContact(row), after: toContact(after), origin, origins: plan.origins }]
  })
  await recordChanges(ctx, trx, results)
  return results.map(({ after }) => after)
}
