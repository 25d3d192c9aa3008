import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'

const retentionDays = 30

/** Messages that are older are deleted, and no longer listed. Links in them expire earlier. */
export const retainedSince = (now: Date): Date => new Date(now.getTime() - retentionDays * 86_400_000)

/** The columns of a message without address and content. */
export const erasedMail = { recipient: '', subject: '', text: '', html: null, reply_to: null, error: null }

/** Deletes expired messages. Rows of messages about a proposal stay with their state, without address and content. */
export async function deleteExpiredMails(trx: Transaction, now: Date): Promise<void> {
  // Only stored messages are in the index.
  const expired = sql<boolean>`recipient <> '' and created_at < ${retainedSince(now)}`
  await trx.deleteFrom('mail').where(expired).where('proposal_id', 'is', null).execute()
  await trx.updateTable('mail').set(erasedMail).where(expired).execute()
}
