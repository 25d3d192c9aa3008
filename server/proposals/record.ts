import { wireId, type Proposal, type ProposalItem } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { ProposalTable } from '../db/schema.ts'
import { contentHash } from './content-hash.ts'
import type { ProposalContext } from './context.ts'
import { toRecipient, type StoredRecipient } from './recipients.ts'
import { allowedTransitions } from './states.ts'

export type ProposalRow = Selectable<ProposalTable>
/** A row that was read with `recipientsColumn`. */
export type AddressedProposal = ProposalRow & { recipients: readonly StoredRecipient[] }

export function toProposal(ctx: ProposalContext, row: AddressedProposal): Proposal {
  const recipients = row.recipients.map((recipient) => toRecipient(ctx, recipient, { sent: row.sent_at !== null }))
  const offer = {
    number: row.number === null ? null : `P-${row.number}`,
    title: row.title,
    message: row.message,
    currency: row.currency,
    totalAmount: row.total_amount,
    items: storedItems(row.items),
    expiresAt: row.expires_at?.toISOString() ?? null,
  }
  return {
    ...offer,
    id: wireId('prp', row.id),
    contactId: wireId('ctc', row.contact_id),
    status: row.status,
    externalId: row.external_id,
    url: recipients.find(({ role }) => role === 'signer')?.url ?? null,
    recipients,
    sentAt: row.sent_at?.toISOString() ?? null,
    viewedAt: row.viewed_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    rejectedAt: row.rejected_at?.toISOString() ?? null,
    voidedAt: row.voided_at?.toISOString() ?? null,
    voidReason: row.void_reason,
    allowedTransitions: allowedTransitions(row.status),
    contentHash: contentHash(offer),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Only `priceItem` creates the content of this column. */
export const storedItems = (items: unknown): ProposalItem[] => (items ?? []) as ProposalItem[]
