import { withTransaction, select, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { enqueueWork, organizationWork } from '../work.ts'
import type { ProposalContext } from './context.ts'
import { lockProposal } from './rows.ts'
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

/**
 * Removes the data, signatures and questions of a purged contact from its proposals. An accepted proposal keeps the names, addresses
 * and signatures of its signers, because they prove the acceptance.
 */
export async function eraseRecipient(trx: Transaction, contactId: string): Promise<void> {
  await trx
    .deleteFrom('proposal_question')
    .where('recipient_id', 'in', (eb) => eb.selectFrom('proposal_recipient').select('id').where('contact_id', '=', contactId))
    .execute()
  await trx
    .deleteFrom('proposal_signature')
    .where('recipient_id', 'in', (of) =>
      of
        .selectFrom('proposal_recipient')
        .innerJoin('proposal', 'proposal.id', 'proposal_recipient.proposal_id')
        .select('proposal_recipient.id')
        .where('proposal_recipient.contact_id', '=', contactId)
        .where('proposal.status', '<>', 'completed'),
    )
    .execute()
  await trx
    .updateTable('proposal_recipient')
    .set({ name: null, email: null })
    .where('contact_id', '=', contactId)
    .where((of) =>
      of.or([
        of('role', '=', 'copy'),
        of('proposal_id', 'in', (eb) => eb.selectFrom('proposal').select('id').where('status', '<>', 'completed')),
      ]),
    )
    .execute()
}

function voidOfContact(ctx: ProposalContext, id: string, contactId: string): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    const { status } = await lockProposal(trx, id)
    const contact = await trx.selectFrom('contact').select('deleted_at').where('id', '=', contactId).executeTakeFirst()
    if (status !== 'pending' || contact?.deleted_at == null) return
    await voidLocked(ctx, trx, id, 'The contact was deleted.')
  })
}
