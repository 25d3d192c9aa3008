import { wireId } from '@groundwork/api'
import { sql } from 'kysely'
import { deleteActivitiesOf } from '../activities/activities.ts'
import { audit } from '../audit/audit.ts'
import { deleteConsentOf } from '../consent/delete.ts'
import { deleteDuplicatesOf } from '../contact-duplicates/of-contact.ts'
import { deleteMergesOf } from '../contact-merges/delete.ts'
import { withTransaction, type Context } from '../context.ts'
import { deleteKeptEntries } from '../events/kept-entries.ts'
import type { ContactTable, Transaction } from '../db/schema.ts'
import { breaksReference } from '../db/violations.ts'
import { restorableSeconds } from '../lib/restorable.ts'
import { eraseRecipient } from '../proposals/of-deleted-contact.ts'
import { enqueueWork, organizationWork } from '../work.ts'
import { deleteChangesOf } from './changes.ts'
import { deleteSuggestionsOf } from './suggestion-rows.ts'

interface PurgeContacts {
  contactId?: string
  /** Instead of `contactId`, contacts that were deleted together. */
  contactIds?: readonly string[]
  /** The time of the deletion, ISO 8601. A contact that is restored and deleted again gets another job. */
  deletedAt: string
}

export const purgeContactWork = organizationWork<PurgeContacts>('purge-contact', async (ctx, { contactIds, contactId, deletedAt }) => {
  for (const id of contactIds ?? [contactId ?? '']) await purgeContact(ctx, id, new Date(deletedAt))
})

/** Queues the purge, in the transaction that deletes the contact, for the end of the time in which it can be restored. */
export const enqueuePurge = (ctx: Context, trx: Transaction, contactId: string, deletedAt: Date): Promise<void> =>
  enqueuePurgeOf(ctx, trx, { contactId, deletedAt: deletedAt.toISOString() })

/** Does the same for contacts that are deleted at the same time. */
export const enqueuePurges = (ctx: Context, trx: Transaction, contactIds: readonly string[], deletedAt: Date): Promise<void> =>
  enqueuePurgeOf(ctx, trx, { contactIds, deletedAt: deletedAt.toISOString() })

const enqueuePurgeOf = (ctx: Context, trx: Transaction, data: PurgeContacts): Promise<void> =>
  enqueueWork(ctx, trx, purgeContactWork, data, { delaySeconds: restorableSeconds })

/**
 * Removes a contact that is still deleted. If a proposal refers to the contact, only its personal data is removed and the row
 * stays deleted.
 */
async function purgeContact(ctx: Context, contactId: string, deleted: Date): Promise<void> {
  const purge = (remove: (trx: Transaction) => Promise<unknown[]>): Promise<void> =>
    withTransaction(ctx, async (trx) => {
      if ((await remove(trx)).length > 0) await audit(ctx, trx, { action: 'contact.purged', target: wireId('ctc', contactId) })
    })
  try {
    await purge((trx) => trx.deleteFrom('contact').where('id', '=', contactId).where('deleted_at', '=', deleted).returning('id').execute())
  } catch (error) {
    if (!breaksReference(error)) throw error
    await purge(async (trx) => {
      const erased = await eraseColumns(trx, contactId, deleted)
      if (erased.length === 0) return erased
      await eraseRecipient(trx, contactId)
      await deleteActivitiesOf(trx, contactId)
      await deleteConsentOf(trx, contactId)
      await deleteChangesOf(trx, contactId)
      await deleteMergesOf(trx, contactId)
      await deleteDuplicatesOf(trx, contactId)
      await deleteSuggestionsOf(trx, contactId)
      await deleteKeptEntries(trx, contactId)
      return erased
    })
  }
}

/** Columns that remain in the row of a purged contact. */
const keptColumns = ['organization_id', 'id', 'created_at', 'updated_at', 'deleted_at', 'erased_at'] satisfies (keyof ContactTable)[]

/** Sets all other columns of the table to their defaults. The catalog names them, so that it erases columns of later migrations. */
export async function eraseColumns(trx: Transaction, contactId: string, deletedAt: Date): Promise<unknown[]> {
  const { rows: columns } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'contact'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> all (${keptColumns}::text[])`.execute(trx)
  const erased = sql.join(columns.map(({ name }) => sql`${sql.ref(name)} = default`))
  const { rows } = await sql`
    update contact set ${erased} where id = ${contactId} and deleted_at = ${deletedAt} returning id`.execute(trx)
  return rows
}
