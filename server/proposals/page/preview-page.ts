import {
  wireId,
  type PreviewProposalPage,
  type Proposal,
  type ProposalSection,
  type ProposalPagePreview,
  type SellerInput,
} from '@groundwork/api'
import { withTransaction } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { newId } from '../../lib/ids.ts'
import { requireContact } from '../checks.ts'
import { contentHash } from '../content-hash.ts'
import type { ProposalContext } from '../context.ts'
import { newOffer } from '../new-offer.ts'
import { nameOf, toRecipient, type StoredRecipient } from '../recipients.ts'
import { findContact } from '../rows.ts'
import type { Seller } from '../seller.ts'
import { createFormats } from './formats.ts'
import { proposalPage } from './proposal-page.ts'
import type { Visit } from './visit.ts'

const formatsOf = createFormats()

/**
 * Returns the page of a pending proposal with this content and stores nothing. Leaves out the script, and everything that the page
 * loads from its link: the logo, images and attached PDFs.
 * @throws AppError `validation_error`
 */
export function previewProposalPage(ctx: ProposalContext, input: PreviewProposalPage): Promise<ProposalPagePreview> {
  return withTransaction(ctx, async (trx) => {
    const recipient = await previewedRecipient(trx, input.contactId)
    const proposal = await previewedProposal(ctx, trx, input, recipient)
    const seller = changedSeller(await storedSeller(trx), input.organization ?? {})
    const visit: Visit = { ctx, secret: 'preview', recipient, proposal, seller, signatures: [], questions: [], newerUrl: null }
    return { html: proposalPage(visit, formatsOf(visit), { countsViews: false, hasScript: false }) }
  })
}

async function previewedProposal(
  ctx: ProposalContext,
  trx: Transaction,
  input: PreviewProposalPage,
  recipient: StoredRecipient,
): Promise<Proposal> {
  const now = ctx.now()
  const hasItems = (input.items?.length ?? 0) > 0
  const complete = { ...input, title: input.title ?? '', ...(!hasItems && { totalAmount: input.totalAmount ?? '0' }) }
  const { offer } = await newOffer(trx, complete, textsOf(input.sections ?? []), now)
  const id = newId(now.getTime())
  return {
    ...offer,
    id: wireId('prp', id),
    contactId: wireId('ctc', input.contactId ?? id),
    status: 'pending',
    externalId: null,
    url: null,
    recipients: [toRecipient(ctx, recipient, { sent: true, isWaiting: false })],
    sentAt: now.toISOString(),
    delivery: null,
    deliveredAt: null,
    viewedAt: null,
    completedAt: null,
    rejectedAt: null,
    voidedAt: null,
    rejectReason: null,
    voidReason: null,
    supersedes: null,
    supersededBy: null,
    signingOrder: 'parallel',
    counterSignature: false,
    counterSignedBy: null,
    counterSignedAt: null,
    allowedTransitions: [],
    contentHash: contentHash(offer),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
}

/** Returns the sections without files. */
const textsOf = (sections: NonNullable<PreviewProposalPage['sections']>): ProposalSection[] =>
  sections.flatMap((section) => (section.type === 'image' || section.type === 'attachment' ? [] : [section]))

/** @throws AppError `validation_error` if the contact does not exist */
async function previewedRecipient(trx: Transaction, contactId: string | undefined): Promise<StoredRecipient> {
  const answer = { first_viewed_at: null, signed_at: null, declined_at: null, sending: null }
  const unknown: StoredRecipient = {
    id: newId(),
    role: 'signer',
    contact_id: null,
    name: null,
    email: null,
    language: null,
    link_version: 0,
    has_address: false,
    withheld: null,
    ...answer,
  }
  if (contactId === undefined) return unknown
  const contact = requireContact(await findContact(trx, contactId))
  return { ...unknown, name: nameOf(contact), email: contact.email }
}

const storedSeller = async (trx: Transaction): Promise<Seller> => ({
  ...(await trx
    .selectFrom('organization')
    .select(['name', 'legal_name', 'address', 'tax_id', 'color', 'language', 'time_zone'])
    .executeTakeFirstOrThrow()),
  logo: null,
})

/** Replaces the given fields. */
function changedSeller(seller: Seller, { name, legalName, address, taxId, color, language, timeZone }: SellerInput): Seller {
  return {
    ...seller,
    name: name ?? seller.name,
    legal_name: legalName === undefined ? seller.legal_name : legalName,
    address: address === undefined ? seller.address : address,
    tax_id: taxId === undefined ? seller.tax_id : taxId,
    color: color === undefined ? seller.color : color,
    language: language ?? seller.language,
    time_zone: timeZone ?? seller.time_zone,
  }
}
