import { wireId, type ExportedDuplicate } from '@groundwork/api'
import type { Transaction } from '../db/schema.ts'

/** Deletes the pairs of a contact, also the dismissed ones. */
export async function deleteDuplicatesOf(trx: Transaction, contactId: string): Promise<void> {
  await trx
    .deleteFrom('contact_duplicate')
    .where((eb) => eb.or([eb('first_id', '=', contactId), eb('second_id', '=', contactId)]))
    .execute()
}

/** Returns the pairs of a contact, also the dismissed ones, newest first. */
export async function duplicatesOf(trx: Transaction, contactId: string): Promise<ExportedDuplicate[]> {
  const rows = await trx
    .selectFrom('contact_duplicate')
    .selectAll()
    .where((eb) => eb.or([eb('first_id', '=', contactId), eb('second_id', '=', contactId)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: wireId('dup', row.id),
    contactId: wireId('ctc', row.first_id === contactId ? row.second_id : row.first_id),
    confidence: row.confidence,
    reasons: row.reasons,
    status: row.status,
    createdAt: row.created_at.toISOString(),
  }))
}
