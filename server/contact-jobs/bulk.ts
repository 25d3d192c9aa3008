import { lowerTag, wireId, type BulkFields, type ContactJobCounts } from '@groundwork/api'
import { sql } from 'kysely'
import { requireCompany } from '../companies/require-company.ts'
import { recordChanges } from '../contacts/changes.ts'
import { contactCondition } from '../contacts/filter.ts'
import { givenColumns, requireMember } from '../contacts/given-columns.ts'
import { toContact, type ContactRow } from '../contacts/record.ts'
import { isMerged, isRestorable } from '../contacts/restorable.ts'
import { unionOfTags } from '../contacts/union-of-tags.ts'
import { changeContacts } from '../contacts/write-many.ts'
import type { Context } from '../context.ts'
import { checkedCustomFields, type CustomFieldValues } from '../custom-fields/values.ts'
import { changedColumns } from '../db/changed-columns.ts'
import type { ContactJobSettings, Transaction } from '../db/schema.ts'
import { emitMany } from '../events/emit.ts'
import { addContacts, readContacts } from './chosen.ts'
import { keptCounts, type Kept } from './kept.ts'
import type { ContactJobRow } from './record.ts'

/** Adds the contacts that meet the filter to the job; those with ids were added with it. Returns their number. */
export async function chooseBulk(ctx: Context, trx: Transaction, { id, settings }: ContactJobRow): Promise<number> {
  if (settings.filter !== undefined) {
    const condition = contactCondition(settings.filter)
    return addContacts(ctx, trx, id, sql`select id as contact_id from contact where ${isChosen(ctx, settings)} and ${condition}`)
  }
  const { count } = await trx
    .selectFrom('contact_job_contact')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('job_id', '=', id)
    .executeTakeFirstOrThrow()
  return count
}

/** SQL condition: the contact can be restored, or changed. */
export const isChosen = (ctx: Context, { action }: ContactJobSettings) =>
  action === 'restore' ? sql<boolean>`${isRestorable(ctx.now())} and not ${isMerged}` : sql<boolean>`deleted_at is null`

/**
 * Locks the records that the values refer to. Call it before the transaction locks contacts.
 * @returns the values, with the company into which theirs was merged, and a function of the former values of custom fields
 * @throws AppError `validation_error`, field `set…`
 */
export async function lockSetValues(
  trx: Transaction,
  set: BulkFields = {},
): Promise<{ set: BulkFields; customFields: (before: CustomFieldValues) => CustomFieldValues }> {
  const customFields = await checkedCustomFields(trx, 'contact', set.customFields)
  // Not for some contacts only: a value of an archived field is refused.
  customFields({})
  const companyId = await requireCompany(trx, set.companyId ?? null)
  await requireMember(trx, set.ownerId ?? null)
  return { set: companyId === null ? set : { ...set, companyId }, customFields }
}

/** Maximum number of tags of a contact. */
const maxTags = 50

/** Changes a batch of contacts in the transaction; a dry run only counts. */
export async function bulkBatch(
  ctx: Context,
  trx: Transaction,
  job: ContactJobRow,
  ids: readonly string[],
): Promise<{ counts: Partial<ContactJobCounts>; kept: Kept[] }> {
  const { settings } = job
  const { set, customFields } = await lockSetValues(trx, settings.set)
  const rows = await readContacts(trx, ids, { isLocking: !job.dry_run })
  const kept: Kept[] = []
  const changes: { before: ContactRow; columns: Readonly<Record<string, unknown>> }[] = []
  for (const row of rows) {
    if (row.deleted_at !== null) {
      kept.push({ contactId: row.id, field: null, reason: 'deleted' })
      continue
    }
    const tags = tagsAfter(row.tags, settings)
    const hasRoom = tags.length <= Math.max(maxTags, row.tags.length)
    if (!hasRoom) kept.push({ contactId: row.id, field: 'tags', reason: 'invalid' })
    const { customFields: given, ...fields } = set
    const columns = changedColumns(row, {
      ...givenColumns(fields, null, row).columns,
      ...(given !== undefined && { custom_fields: JSON.stringify(customFields(row.custom_fields)) }),
      ...(hasRoom && { tags }),
    })
    if (Object.keys(columns).length > 0) changes.push({ before: row, columns })
  }
  if (!job.dry_run) await change(ctx, trx, job, changes)
  return {
    counts: {
      changed: changes.length,
      unchanged: ids.length - changes.length,
      ...keptCounts(kept),
    },
    kept,
  }
}

function tagsAfter(tags: readonly string[], { addTags = [], removeTags = [] }: ContactJobSettings): readonly string[] {
  const removed = new Set(removeTags.map(lowerTag))
  return unionOfTags(
    tags.filter((tag) => !removed.has(lowerTag(tag))),
    addTags,
  )
}

type Change = Parameters<typeof changeContacts>[1][number]

async function change(ctx: Context, trx: Transaction, job: ContactJobRow, changes: readonly Change[]): Promise<void> {
  const rows = await changeContacts(trx, changes, ctx.now())
  const origin = { reference: wireId('job', job.id), jobId: job.id }
  const results = changes.flatMap(({ before }) => {
    const after = rows.get(before.id)
    return after === undefined ? [] : [{ before: toContact(before), after: toContact(after), origin }]
  })
  await recordChanges(ctx, trx, results)
  await emitMany(
    ctx,
    trx,
    'contact.updated',
    results.map(({ after }) => after),
  )
}
