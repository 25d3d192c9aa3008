import { maxListed, wireId, type UnmergeContact, type UnmergedContact } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import { recordChanges } from '../contacts/changes.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import { toContact, type ContactRow } from '../contacts/record.ts'
import type { ContactMergeTable, Transaction } from '../db/schema.ts'
import { violatedIndex } from '../db/violations.ts'
import { rememberDifferent } from '../duplicates/pairs.ts'
import { emit, emitProgress } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { valuesWithout, type Choices, type MergeStates } from '../lib/merging.ts'
import { lockForMerge, untilLocked } from './lock.ts'
import { moveRecordsBack, moveTimeline, refresh } from './move.ts'
import { columnsOf, combined, valuesOf, withChanges, withIdentity, type Values } from './values.ts'

/**
 * Undoes a merge: both contacts get back their values and records. What came since stays with the survivor.
 * @throws AppError `not_found`; `validation_error`, field `mergedId`, also 30 days after the merge; `conflict` if the contact was merged indirectly, or if an externalId
 * is taken
 */
export async function unmergeContact(ctx: Context, id: string, { mergedId }: UnmergeContact): Promise<UnmergedContact> {
  requirePerson(ctx)
  try {
    return await untilLocked(() => withTransaction(ctx, (trx) => unmergeIn(ctx, trx, id, mergedId)))
  } catch (error) {
    if (violatedIndex(error) !== 'contact_external_id') throw error
    throw new AppError('conflict', 'Another contact has the externalId of one of the contacts.', { field: 'externalId', cause: error })
  }
}

async function unmergeIn(ctx: Context, trx: Transaction, id: string, mergedId: string): Promise<UnmergedContact> {
  const rows = await lockForMerge(ctx, trx, [id, mergedId])
  const [survivor, merged] = [rows.get(id), rows.get(mergedId)]
  if (survivor === undefined || survivor.deleted_at !== null) throw new AppError('not_found', 'There is no such contact.')
  const merge = await trx.selectFrom('contact_merge').selectAll().where('merged_id', '=', mergedId).executeTakeFirst()
  if (merge === undefined || merged === undefined || !survivor.merged_ids.includes(mergedId)) {
    throw new AppError('validation_error', 'mergedId: there is no such merge, or it is older than 30 days', { field: 'mergedId' })
  }
  if (merge.survivor_id !== id) {
    const between = wireId('ctc', merge.survivor_id)
    throw new AppError('conflict', `The contact was merged into ${between}, which was merged later. Undo that merge first.`)
  }

  const move = { from: id, to: mergedId }
  // The merged contact has its former values, and the ids that were merged into it.
  const returning = new Set([mergedId, ...merged.merged_ids])
  await trx.deleteFrom('contact_alias').where('id', '=', mergedId).execute()
  await trx
    .updateTable('contact_alias')
    .set({ contact_id: mergedId })
    .where('contact_id', '=', id)
    .where('id', 'in', [...returning])
    .execute()
  const renewed = await renewedValues(trx, survivor, merge)
  const { values, kept: needed } = withIdentity(renewed.values, valuesOf(survivor))
  await trx.deleteFrom('contact_merge').where('merged_id', '=', mergedId).execute()
  await trx
    .updateTable('contact')
    .set({
      ...columnsOf(await withLiveReferences(trx, values)),
      merged_ids: survivor.merged_ids.filter((each) => !returning.has(each)),
    })
    .where('id', '=', id)
    .execute()
  await trx.updateTable('contact').set({ deleted_at: null }).where('id', '=', mergedId).execute()
  await rememberDifferent(ctx, trx, 'contact', [id, mergedId])
  await moveRecordsBack(trx, merge, move)
  await moveTimeline(trx, move, [...returning])
  await sql`delete from consent_change where contact_id = ${id}::uuid and id = any (${merge.added_consent_ids}::uuid[])`.execute(trx)
  for (const contactId of [id, mergedId]) await refresh(trx, contactId)

  const [contact, restored] = [toContact(await read(trx, id)), toContact(await read(trx, mergedId))]
  const kept = { fields: [...new Set([...renewed.changed, ...needed])], ...(await recordsSince(trx, id, merge.created_at)) }
  const origin = { how: 'reverted', reference: restored.id } as const
  await recordChanges(ctx, trx, [{ before: toContact(survivor), after: contact, origin }])
  await emit(ctx, trx, 'contact.unmerged', contact)
  await emitProgress(ctx, trx, 'contact.updated', restored)
  return { contact, restored, kept }
}

const read = (trx: Transaction, id: string): Promise<ContactRow> =>
  trx.selectFrom('contact').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Returns the values of a contact without a merge, and the names of the fields with later changes. Stores the later merges as they would have been. */
async function renewedValues(
  trx: Transaction,
  survivor: ContactRow,
  merge: Selectable<ContactMergeTable>,
): Promise<{ values: Values; changed: string[] }> {
  const later = await trx
    .selectFrom('contact_merge')
    .selectAll()
    .where('survivor_id', '=', survivor.id)
    .where('position', '>', merge.position)
    .orderBy('position')
    .execute()
  const merges = []
  for (const row of later) {
    const [merged, { before, after }] = [valuesOf(await read(trx, row.merged_id)), statesOf(row)]
    const combine = (values: Values): Values => ({
      ...combined(values, merged, row.choices as Choices).values,
      updatedAt: after.updatedAt,
    })
    merges.push({ mergedId: row.merged_id, before, after, combine })
  }
  const result = valuesWithout(statesOf(merge), merges, valuesOf(survivor), withChanges)
  for (const { mergedId, before, after } of result.later) {
    await trx
      .updateTable('contact_merge')
      .set({ before: JSON.stringify(before), after: JSON.stringify(after) })
      .where('merged_id', '=', mergedId)
      .execute()
  }
  return result
}

/** A merge is stored with values. */
const statesOf = ({ before, after }: Selectable<ContactMergeTable>) => ({ before, after }) as MergeStates<Values>

/** Returns the values without an owner who has left, and with the company to which the merges and deletions of companies lead now. */
async function withLiveReferences(trx: Transaction, values: Values): Promise<Values> {
  const { ownerId } = values
  const owner =
    ownerId === null ? undefined : await trx.selectFrom('membership').select('user_id').where('user_id', '=', ownerId).executeTakeFirst()
  return { ...values, ownerId: owner?.user_id ?? null, companyId: await liveCompany(trx, values.companyId) }
}

async function liveCompany(trx: Transaction, stored: Values['companyId']): Promise<Values['companyId']> {
  const own = stored?.former ?? stored?.company ?? null
  if (stored === null || own === null) return null
  const { rows } = await sql<{ own: boolean | null; company: boolean | null; survivor: string | null }>`
    select (select deleted_at is null from company where id = ${own}::uuid) as own,
      (select deleted_at is null from company where id = ${stored.company}::uuid) as company,
      (select * from survivor_of_company(${own}::uuid)) as survivor`.execute(trx)
  const [state] = rows
  if (state?.own === true) return { company: own, former: null }
  if (state?.company === true) return stored
  if (state?.survivor != null) return { company: state.survivor, former: own }
  return state?.own === null ? null : { company: null, former: own }
}

/** Returns the ids of the records of a contact that were added since the time, newest first. */
async function recordsSince(trx: Transaction, contactId: string, since: Date): Promise<Omit<UnmergedContact['kept'], 'fields'>> {
  const ids = async (table: 'activity' | 'proposal' | 'consent_change'): Promise<string[]> => {
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} where contact_id = ${contactId}::uuid and created_at >= ${since}
      order by created_at desc, id desc limit ${maxListed}`.execute(trx)
    return rows.map(({ id }) => id)
  }
  return {
    activityIds: (await ids('activity')).map((id) => wireId('act', id)),
    proposalIds: (await ids('proposal')).map((id) => wireId('prp', id)),
    consentIds: (await ids('consent_change')).map((id) => wireId('cns', id)),
  }
}
