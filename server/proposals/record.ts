import { wireId, type Proposal, type ProposalItem } from '@groundwork/api'
import { shortestDecimal } from '@groundwork/api/money'
import type { Selectable } from 'kysely'
import type { ProposalTable } from '../db/schema.ts'
import { contentHash, type Offer } from './content-hash.ts'
import type { ProposalContext } from './context.ts'
import type { Price } from './price.ts'
import { storedSections } from './sections/stored.ts'
import { toRecipient, type StoredRecipient } from './recipients.ts'
import { waitingSigners } from './signers/turns.ts'
import { allowedTransitions } from './states.ts'

export type ProposalRow = Selectable<ProposalTable>
/** A row that was read with `recipientsColumn`. */
export type AddressedProposal = ProposalRow & { recipients: readonly StoredRecipient[] }

export function toProposal(ctx: ProposalContext, row: AddressedProposal): Proposal {
  const sent = row.sent_at !== null
  const waiting = waitingSigners(row.signing_order, row.recipients)
  const recipients = row.recipients.map((recipient) => toRecipient(ctx, recipient, { sent, isWaiting: waiting.includes(recipient) }))
  const firstSigner = recipients.find(({ role }) => role === 'signer')
  const offer = offerOf(row)
  // Without spreads, which take longer than all else for an object of so many fields.
  return {
    id: wireId('prp', row.id),
    number: offer.number,
    title: offer.title,
    message: offer.message,
    currency: offer.currency,
    totalAmount: offer.totalAmount,
    pricesIncludeTax: offer.pricesIncludeTax,
    discount: offer.discount,
    discountPercent: offer.discountPercent,
    subtotal: offer.subtotal,
    discountTotal: offer.discountTotal,
    taxes: offer.taxes,
    taxTotal: offer.taxTotal,
    items: offer.items,
    sections: offer.sections,
    contentVersion: offer.contentVersion,
    expiresAt: offer.expiresAt,
    contactId: wireId('ctc', row.contact_id),
    status: row.status,
    externalId: row.external_id,
    url: firstSigner?.url ?? null,
    recipients,
    signingOrder: row.signing_order,
    counterSignature: row.counter_signature,
    counterSignedBy: row.counter_signed_by,
    counterSignedAt: row.counter_signed_at?.toISOString() ?? null,
    sentAt: row.sent_at?.toISOString() ?? null,
    delivery: firstSigner?.delivery ?? null,
    deliveredAt: firstSigner?.deliveredAt ?? null,
    viewedAt: row.viewed_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    rejectedAt: row.rejected_at?.toISOString() ?? null,
    voidedAt: row.voided_at?.toISOString() ?? null,
    rejectReason: row.reject_reason,
    voidReason: row.void_reason,
    supersedes: row.supersedes && wireId('prp', row.supersedes),
    supersededBy: row.superseded_by && wireId('prp', row.superseded_by),
    allowedTransitions: allowedTransitions(row.status),
    contentHash: contentHash(offer),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Returns the content of the offer with its stored figures, which are never calculated again. */
export function offerOf(row: ProposalRow): Offer {
  const { subtotal, discountTotal, taxes, taxTotal } = storedTotals(row)
  return {
    number: row.number === null ? null : `P-${row.number}`,
    title: row.title,
    message: row.message,
    currency: row.currency,
    totalAmount: row.total_amount,
    pricesIncludeTax: row.prices_include_tax,
    discount: row.discount,
    discountPercent: row.discount_percent === null ? null : shortestDecimal(row.discount_percent),
    subtotal,
    discountTotal,
    taxes,
    taxTotal,
    items: storedItems(row.items),
    sections: storedSections(row.sections),
    contentVersion: row.content_version,
    expiresAt: row.expires_at?.toISOString() ?? null,
  }
}

type StoredTotals = Pick<Price, 'subtotal' | 'discountTotal' | 'taxes' | 'taxTotal'>

const withoutTotals = { subtotal: null, discountTotal: null, taxes: null, taxTotal: null }

/** Only `priceColumns` writes this column. Proposals of version 1 have no totals. */
const storedTotals = ({ totals }: ProposalRow) => (totals === null ? withoutTotals : (totals as StoredTotals))

/** Returns the columns of a price. */
export const priceColumns = (price: Price) => ({
  ...chosenColumns(price),
  prices_include_tax: price.pricesIncludeTax,
  discount: price.discount,
  discount_percent: price.discountPercent,
  content_version: price.contentVersion,
})

/** Returns the columns that depend on the choices of the recipient: the items and their totals. */
export const chosenColumns = ({ items, subtotal, discountTotal, taxes, taxTotal, totalAmount }: Price | Offer) => ({
  items: items && JSON.stringify(items),
  total_amount: totalAmount,
  totals: JSON.stringify({ subtotal, discountTotal, taxes, taxTotal }),
})

/** Fields of lines that version 1 did not have, except for taxes. */
const addedFields = { discountPercent: null, preselected: false, group: null, quantityRange: null, net: null }
const addedNames = ['discountPercent', 'preselected', 'group', 'quantityRange', 'net'] as const satisfies (keyof typeof addedFields)[]
type StoredItem = Omit<ProposalItem, 'taxes' | keyof typeof addedFields> & Partial<ProposalItem>

/** Returns the stored lines. Only `priceColumns` writes this column; lines of version 1 have fewer fields. */
const storedItems = (items: unknown): ProposalItem[] =>
  ((items ?? []) as StoredItem[]).map((item) => (isComplete(item) ? item : completed(item)))

const isComplete = (item: StoredItem): item is ProposalItem =>
  item.taxes !== undefined && addedNames.every((name) => item[name] !== undefined)

const completed = (item: StoredItem): ProposalItem => ({
  ...addedFields,
  ...item,
  taxes: item.taxes ?? (item.taxRate === '0' ? [] : [{ name: null, rate: item.taxRate }]),
})
