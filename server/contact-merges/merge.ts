import { wireId, type MergeContacts, type MergedContact, type MovedKind } from '@groundwork/api'
import { withDryRun, type Context } from '../context.ts'
import { recordChanges } from '../contacts/changes.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import { enqueuePurge } from '../contacts/purge.ts'
import { toContact, type ContactRow } from '../contacts/record.ts'
import type { Transaction } from '../db/schema.ts'
import { moveDismissedPairs } from '../duplicates/pairs.ts'
import { emit } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { choicesOf, othersIn, requireChoices, type Choices } from '../lib/merging.ts'
import { withdrawMailsTo } from '../proposals/mail/withhold.ts'
import { lockForMerge, untilLocked } from './lock.ts'
import { moveRecords, moveTimeline, refresh } from './move.ts'
import { addRefusals } from './strict-consent.ts'
import { columnsOf, combined, valuesOf, type Omitted } from './values.ts'

/**
 * Merges contacts into one, in one transaction. A dry run does the same and rolls it back.
 * @throws AppError `not_found`; `validation_error`, field `otherIds` or that of a choice
 */
export async function mergeContacts(ctx: Context, id: string, input: MergeContacts): Promise<MergedContact> {
  requirePerson(ctx)
  return untilLocked(() => withDryRun(ctx, input.dryRun ?? false, (trx) => mergeIn(ctx, trx, id, input)))
}

async function mergeIn(ctx: Context, trx: Transaction, id: string, input: MergeContacts): Promise<MergedContact> {
  const otherIds = [...new Set(input.otherIds)]
  const rows = await lockForMerge(ctx, trx, [id, ...otherIds])
  let survivor = rows.get(id)
  if (survivor === undefined || survivor.deleted_at !== null) throw new AppError('not_found', 'There is no such contact.')
  requireChoices(id, input, ['contact', 'contacts'])
  const others = othersIn(rows, { otherIds, mergedIds: survivor.merged_ids, nameOf: (otherId) => `contact ${wireId('ctc', otherId)}` })
  const counts: Record<MovedKind, number> = { activities: 0, tasks: 0, proposals: 0, recipients: 0, consents: 0, suggestions: 0, events: 0 }
  const omitted: Omitted[] = []
  for (const other of others) {
    const merged = await mergeOne(ctx, trx, survivor, other, choicesOf(input, other.id))
    survivor = merged.survivor
    omitted.push(...merged.omitted)
    for (const [kind, count] of Object.entries(merged.counts) as [MovedKind, number][]) counts[kind] += count
  }
  if (others.length > 0) {
    if (survivor.consent?.email === 'denied' || survivor.do_not_contact) await withdrawMailsTo(trx, [id])
    await emit(ctx, trx, 'contact.merged', toContact(survivor))
  }
  return {
    dryRun: input.dryRun ?? false,
    contact: toContact(survivor),
    moved: (Object.entries(counts) as [MovedKind, number][]).flatMap(([kind, count]) => (count === 0 ? [] : [{ kind, count }])),
    omitted,
  }
}

async function mergeOne(ctx: Context, trx: Transaction, survivor: ContactRow, other: ContactRow, choices: Choices) {
  const now = ctx.now()
  const move = { from: other.id, to: survivor.id }
  const before = valuesOf(survivor)
  const { values, omitted } = combined(before, valuesOf(other), choices)
  const after = { ...values, updatedAt: now.toISOString() }
  // The externalId is unique among contacts that are not deleted.
  await trx.updateTable('contact').set({ deleted_at: now }).where('id', '=', other.id).execute()
  await trx
    .updateTable('contact')
    .set({ ...columnsOf(after), merged_ids: [...survivor.merged_ids, other.id, ...other.merged_ids] })
    .where('id', '=', survivor.id)
    .execute()
  const records = await moveRecords(trx, move)
  const events = await moveTimeline(trx, move, null)
  await moveDismissedPairs(ctx, trx, 'contact', move)
  await refresh(trx, survivor.id)
  const added = await addRefusals(ctx, trx, survivor.id, {
    joined: (await read(trx, survivor.id)).consent,
    of: [survivor.consent, other.consent],
  })
  if (added.length > 0) await refresh(trx, survivor.id)
  await trx.insertInto('contact_alias').values({ organization_id: ctx.organizationId, id: other.id, contact_id: survivor.id }).execute()
  await trx.updateTable('contact_alias').set({ contact_id: survivor.id }).where('contact_id', '=', other.id).execute()
  const last = await trx
    .selectFrom('contact_merge')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('survivor_id', '=', survivor.id)
    .executeTakeFirst()
  await trx
    .insertInto('contact_merge')
    .values({
      organization_id: ctx.organizationId,
      merged_id: other.id,
      survivor_id: survivor.id,
      position: (last?.position ?? 0) + 1,
      choices: JSON.stringify(choices),
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      ...records,
      added_consent_ids: added,
      created_at: now,
    })
    .execute()
  await enqueuePurge(ctx, trx, other.id, now)
  const tasks = await countTasks(trx, records.activity_ids)
  const counts = {
    activities: records.activity_ids.length - tasks,
    tasks,
    proposals: records.proposal_ids.length,
    recipients: records.recipient_ids.length,
    consents: records.consent_ids.length,
    suggestions: records.suggestion_ids.length,
    events,
  }
  const result = await read(trx, survivor.id)
  const origin = { how: 'merged', reference: wireId('ctc', other.id) } as const
  await recordChanges(ctx, trx, [{ before: toContact(survivor), after: toContact(result), origin }])
  return { survivor: result, omitted, counts }
}

const read = (trx: Transaction, id: string): Promise<ContactRow> =>
  trx.selectFrom('contact').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function countTasks(trx: Transaction, activityIds: readonly string[]): Promise<number> {
  if (activityIds.length === 0) return 0
  const { tasks } = await trx
    .selectFrom('activity')
    .select(({ fn }) => fn.countAll<number>().as('tasks'))
    .where('id', 'in', [...activityIds])
    .where('type', '=', 'task')
    .executeTakeFirstOrThrow()
  return tasks
}
