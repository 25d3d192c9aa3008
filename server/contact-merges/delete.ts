import type { Transaction } from '../db/schema.ts'
import type { ContactRow } from '../contacts/record.ts'

/**
 * Locks a contact, with those that were merged into it and can still be separated from it, in the order of their ids, as merges do.
 */
export async function lockWithMerged(
  trx: Transaction,
  contactId: string,
): Promise<{ contact: ContactRow | undefined; merged: ContactRow[] }> {
  const rows = await trx
    .selectFrom('contact')
    .selectAll()
    .where((of) =>
      of.or([
        of('id', '=', contactId),
        of('id', 'in', of.selectFrom('contact_alias').select('contact_alias.id').where('contact_id', '=', contactId)),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  return { contact: rows.find(({ id }) => id === contactId), merged: rows.filter(({ id }) => id !== contactId) }
}

/** Deletes the contacts that were merged into a contact, and their ids. Returns the number of these contacts. */
export async function deleteMergesOf(trx: Transaction, contactId: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('contact')
    .where('id', 'in', (of) => of.selectFrom('contact_alias').select('contact_alias.id').where('contact_id', '=', contactId))
    .executeTakeFirst()
  await trx.deleteFrom('contact_alias').where('contact_id', '=', contactId).execute()
  return Number(numDeletedRows)
}
