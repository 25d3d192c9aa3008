import type { Transaction } from '../db/schema.ts'

/** Deletes the history of the consent of a contact. Returns the number of its entries. */
export async function deleteConsentOf(trx: Transaction, contactId: string): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('consent_change').where('contact_id', '=', contactId).executeTakeFirst()
  return Number(numDeletedRows)
}
