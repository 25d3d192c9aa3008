import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { enqueueWork, organizationWork } from '../work.ts'
import type { MailContext } from './mailer.ts'
import { erasedMail } from './retention.ts'

interface DeleteMailFiles {
  mailIds: string[]
}

/** Deletes the files of erased messages, which were written where no mail server is configured. */
export const deleteMailFilesWork = organizationWork<DeleteMailFiles, MailContext>('delete-mail-files', async ({ mailer }, { mailIds }) => {
  await Promise.all(mailIds.map((id) => mailer.deleteFile(id)))
})

/**
 * Deletes the messages to a contact that were not sent yet, and removes addresses and content of all others about the proposals.
 * Unsent messages to other recipients stay. Returns the number of changed messages. Their files are deleted after the transaction
 * commits.
 */
export async function eraseMails(
  ctx: Context,
  trx: Transaction,
  { contactId, proposalIds }: { contactId: string; proposalIds: readonly string[] },
): Promise<number> {
  if (proposalIds.length === 0) return 0
  const unsent = await trx
    .deleteFrom('mail')
    .where('proposal_id', 'in', proposalIds)
    .where('contact_id', '=', contactId)
    .where('state', '=', 'queued')
    .returning('id')
    .execute()
  const erased = await trx
    .updateTable('mail')
    .set(erasedMail)
    .where('proposal_id', 'in', proposalIds)
    .where('state', '<>', 'queued')
    .where('recipient', '<>', '')
    .returning('id')
    .execute()
  return deleteFilesOf(ctx, trx, [...unsent, ...erased])
}

/** Deletes all messages about proposals. Their files are deleted after the transaction commits. */
export async function deleteMailsOf(ctx: Context, trx: Transaction, proposalIds: readonly string[]): Promise<void> {
  await deleteFilesOf(ctx, trx, await trx.deleteFrom('mail').where('proposal_id', 'in', proposalIds).returning('id').execute())
}

async function deleteFilesOf(ctx: Context, trx: Transaction, mails: readonly { id: string }[]): Promise<number> {
  if (mails.length > 0) await enqueueWork(ctx, trx, deleteMailFilesWork, { mailIds: mails.map(({ id }) => id) })
  return mails.length
}
