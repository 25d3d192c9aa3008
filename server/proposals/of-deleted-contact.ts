import { sql } from 'kysely'
import { withTransaction, select, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import type { FileContext } from '../files/context.ts'
import { enqueueWork, organizationWork } from '../work.ts'
import type { ProposalContext } from './context.ts'
import type { ProposalRow } from './record.ts'
import { lockProposal } from './rows.ts'
import { removeAllFiles } from './sections/files.ts'
import { versionWithSections } from './sections/stored.ts'
import { voidLocked } from './transitions.ts'

interface OfContact {
  contactId: string
}

/** Voids the pending proposals that a contact was to sign, if the contact is still deleted. */
export const voidOfDeletedContactWork = organizationWork<OfContact, ProposalContext>(
  'void-proposals-of-contact',
  async (ctx, { contactId }) => {
    const pending = await select(ctx, (db) =>
      db
        .selectFrom('proposal')
        .select('id')
        .where('id', 'in', (of) =>
          of.selectFrom('proposal_recipient').select('proposal_id').where('contact_id', '=', contactId).where('role', '=', 'signer'),
        )
        .where('status', '=', 'pending')
        .orderBy('created_at'),
    )
    for (const { id } of pending) await voidOfContact(ctx, id, contactId)
  },
)

/**
 * Queues the voiding, in the transaction that deletes the contact. That transaction cannot void them itself: it holds the contact
 * and would wait for proposals, while sending a proposal holds the proposal and waits for the contact.
 */
export const enqueueVoiding = (ctx: Context, trx: Transaction, contactId: string): Promise<void> =>
  enqueueWork(ctx, trx, voidOfDeletedContactWork, { contactId })

/** Numbers of erased rows. */
interface ErasedFromProposals {
  readonly questions: number
  readonly views: number
  readonly signatures: number
  readonly recipients: number
}

/**
 * Removes the data, signatures, questions and views of a deleted contact from its proposals. An accepted proposal keeps the names,
 * addresses and signatures of its signers, because they prove the acceptance.
 */
export async function eraseRecipient(trx: Transaction, contactId: string): Promise<ErasedFromProposals> {
  const ofContact = trx.selectFrom('proposal_recipient').select('id').where('contact_id', '=', contactId)
  const questions = await trx.deleteFrom('proposal_question').where('recipient_id', 'in', ofContact).executeTakeFirst()
  const views = await trx.deleteFrom('proposal_view').where('recipient_id', 'in', ofContact).executeTakeFirst()
  const signatures = await trx
    .deleteFrom('proposal_signature')
    .where('recipient_id', 'in', (of) =>
      of
        .selectFrom('proposal_recipient')
        .innerJoin('proposal', 'proposal.id', 'proposal_recipient.proposal_id')
        .select('proposal_recipient.id')
        .where('proposal_recipient.contact_id', '=', contactId)
        .where('proposal.status', '<>', 'completed'),
    )
    .executeTakeFirst()
  const recipients = await trx
    .updateTable('proposal_recipient')
    .set({ name: null, email: null })
    .where('contact_id', '=', contactId)
    .where((of) => of.or([of('name', 'is not', null), of('email', 'is not', null)]))
    .where((of) =>
      of.or([
        of('role', '=', 'copy'),
        of('proposal_id', 'in', (eb) => eb.selectFrom('proposal').select('id').where('status', '<>', 'completed')),
      ]),
    )
    .executeTakeFirst()
  return {
    questions: Number(questions.numDeletedRows),
    views: Number(views.numDeletedRows),
    signatures: Number(signatures.numDeletedRows),
    recipients: Number(recipients.numUpdatedRows),
  }
}

/**
 * Locks the proposals that a contact receives or received, in the order of their ids. Returns them with the roles of the contact.
 */
export async function lockProposalsOf(
  trx: Transaction,
  contactId: string,
): Promise<{ id: string; status: ProposalRow['status']; isSigner: boolean; isMain: boolean }[]> {
  const { rows } = await sql<{ id: string; status: ProposalRow['status']; isSigner: boolean; isMain: boolean }>`
    select id, status, contact_id = ${contactId}::uuid as "isMain", exists (
      select from proposal_recipient r where r.organization_id = proposal.organization_id and r.proposal_id = proposal.id
        and r.contact_id = ${contactId}::uuid and r.role = 'signer') as "isSigner"
    from proposal
    where contact_id = ${contactId}::uuid
      or id in (select proposal_id from proposal_recipient where contact_id = ${contactId}::uuid)
    order by id for update`.execute(trx)
  return rows
}

/** The reasons for which proposals are voided with their contact. */
export const voidReasons = { deleted: 'The contact was deleted.', erased: 'The contact was erased.' }

/**
 * Removes the message, the written reasons for voiding and rejection, and the sections with their files of proposals. Returns how
 * many had one. Files are deleted after the transaction commits.
 */
export async function eraseTexts(ctx: FileContext, trx: Transaction, proposalIds: readonly string[]): Promise<number> {
  if (proposalIds.length === 0) return 0
  await removeAllFiles(ctx, trx, proposalIds)
  const { numUpdatedRows } = await trx
    .updateTable('proposal')
    .set({
      message: null,
      reject_reason: null,
      void_reason: sql`case when void_reason = any (${Object.values(voidReasons)}::text[]) then void_reason end`,
      sections: null,
      content_version: sql`least(content_version, ${versionWithSections - 1})`,
    })
    .where('id', 'in', proposalIds)
    .where((of) =>
      of.or([
        of('message', 'is not', null),
        of('reject_reason', 'is not', null),
        of('void_reason', 'not in', Object.values(voidReasons)),
        of('sections', 'is not', null),
      ]),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

function voidOfContact(ctx: ProposalContext, id: string, contactId: string): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    const { status } = await lockProposal(trx, id)
    const contact = await trx.selectFrom('contact').select('deleted_at').where('id', '=', contactId).executeTakeFirst()
    if (status !== 'pending' || contact?.deleted_at == null) return
    await voidLocked(ctx, trx, id, voidReasons.deleted)
  })
}
