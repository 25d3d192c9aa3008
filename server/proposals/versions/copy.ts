import { wireId, type Proposal } from '@groundwork/api'
import { withTransaction } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { emit } from '../../events/emit.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { readProposal } from '../change.ts'
import type { ProposalContext } from '../context.ts'
import { priceOf } from '../price.ts'
import { offerOf, priceColumns, type ProposalRow } from '../record.ts'
import { lockContact, lockProposal } from '../rows.ts'
import { copyFiles } from '../sections/files.ts'
import { requireSupersedable } from '../states.ts'

/**
 * Creates a draft with the content and the recipients of a proposal in any state, without those whose contact was deleted.
 * @throws AppError `not_found`; `conflict` if its contact was deleted
 */
export function duplicateProposal(ctx: ProposalContext, id: string): Promise<Proposal> {
  return withTransaction(ctx, async (trx) => copyProposal(ctx, trx, await lockProposal(trx, id), null))
}

/**
 * Creates a draft that replaces a proposal when it is sent.
 * @throws AppError `not_found`; `conflict` if it is not pending, rejected or expired, if another version revises or has replaced it,
 * or if its contact was deleted
 */
export function reviseProposal(ctx: ProposalContext, id: string): Promise<Proposal> {
  return withTransaction(ctx, async (trx) => {
    const former = await lockProposal(trx, id)
    requireNewest(former)
    requireSupersedable(former.status)
    const open = await trx.selectFrom('proposal').select('id').where('supersedes', '=', id).where('status', '=', 'draft').executeTakeFirst()
    if (open !== undefined)
      throw new AppError('conflict', `The draft ${wireId('prp', open.id)} already revises this proposal. Change or delete it.`)
    return copyProposal(ctx, trx, former, id)
  })
}

/** @throws AppError `conflict`, field `supersededBy` */
export function requireNewest({ superseded_by }: ProposalRow): void {
  if (superseded_by === null) return
  throw new AppError('conflict', `The proposal was replaced by ${wireId('prp', superseded_by)}. Revise that one instead.`, {
    field: 'supersededBy',
  })
}

/** Columns of a draft that was not sent. All other columns of a proposal are its content. */
const unsent = {
  number: null,
  status: 'draft',
  external_id: null,
  sent_at: null,
  sent_by: null,
  viewed_at: null,
  completed_at: null,
  rejected_at: null,
  reject_reason: null,
  voided_at: null,
  void_reason: null,
  superseded_by: null,
  counter_signed_by: null,
  counter_signed_at: null,
} as const

/** Columns of a recipient to whom nothing was sent. */
const unopened = { link_version: 0, first_viewed_at: null, signed_at: null, declined_at: null } as const

async function copyProposal(ctx: ProposalContext, trx: Transaction, of: ProposalRow, supersedes: string | null): Promise<Proposal> {
  if ((await lockContact(trx, of.contact_id)) === undefined)
    throw new AppError('conflict', 'The contact of the proposal was deleted.', { field: 'contactId' })
  const now = ctx.now()
  const id = newId(now.getTime())
  const { search_text: _text, total_hundredths: _total, ...content } = of
  const expires_at = of.expires_at !== null && of.expires_at > now ? of.expires_at : null
  await trx
    .insertInto('proposal')
    .values({
      ...content,
      ...presentPrice(of),
      ...unsent,
      sections: jsonOf(of.sections),
      id,
      supersedes,
      expires_at,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await copyFiles(trx, of.id, id)
  const recipients = await trx
    .selectFrom('proposal_recipient')
    .selectAll()
    .where('proposal_id', '=', of.id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('contact').whereRef('contact.id', '=', 'proposal_recipient.contact_id').where('deleted_at', 'is not', null),
        ),
      ),
    )
    .orderBy('position')
    .execute()
  await trx
    .insertInto('proposal_recipient')
    .values(recipients.map((recipient) => ({ ...recipient, ...unopened, id: newId(now.getTime()), proposal_id: id })))
    .execute()
  const proposal = await readProposal(ctx, trx, id)
  await emit(ctx, trx, 'proposal.created', proposal)
  return proposal
}

/** Returns the columns of the price. Version 1 had other rules, by which nothing is priced any more. */
function presentPrice(of: ProposalRow) {
  if (of.content_version !== 1) return { items: jsonOf(of.items), totals: jsonOf(of.totals) }
  const offer = offerOf(of)
  const { items, totalAmount } = offer
  return priceColumns(
    priceOf({ ...offer, ...(items.length === 0 ? { lines: null, totalAmount } : { lines: items, totalAmount: undefined }) }),
  )
}

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
