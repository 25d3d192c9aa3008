import type { Proposal } from '@groundwork/api'
import type { ExpressionBuilder } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { select } from '../../context.ts'
import type { Schema } from '../../db/schema.ts'
import type { ProposalContext, ProposalServices } from '../context.ts'
import { recipientsColumn, type StoredRecipient } from '../recipients.ts'
import { toProposal } from '../record.ts'
import { questionsColumn, type ShownQuestion } from './questions.ts'
import { sellerColumn, type Seller } from '../seller.ts'
import { newestLink } from '../versions/newest-link.ts'

export interface ShownSignature {
  readonly name: string
  /** SVG made by `drawingToSvg`; null for a typed name. */
  readonly drawing: string | null
  readonly wording: string
  readonly signed_at: string
}

/** All that the page of a proposal shows to a recipient. */
export interface Visit {
  readonly ctx: ProposalContext
  readonly secret: string
  readonly recipient: StoredRecipient
  readonly proposal: Proposal
  readonly seller: Seller
  readonly signatures: readonly ShownSignature[]
  /** The recipient's own questions. */
  readonly questions: readonly ShownQuestion[]
  /** Link of the recipient to the newest version; null if the proposal was not replaced, or for other recipients. */
  readonly newerUrl: string | null
}

/** Who sent a request to a page. */
export interface Visitor {
  readonly address: string
  readonly userAgent: string | undefined
  readonly requestId: string
  /** Whether the link says that it is a preview. */
  readonly isPreview: boolean
  /** Ids of the organizations of a signed-in member. */
  readonly memberOf: readonly string[]
}

/** Returns what a link leads to; undefined for a link that is wrong or no longer valid. */
export async function openLink(services: ProposalServices, secret: string, visitor: Visitor): Promise<Visit | undefined> {
  const linked = services.proposalLinks.read(secret)
  if (linked === undefined) return undefined
  const { organizationId, recipientId, version } = linked
  const { address, requestId } = visitor
  const ctx: ProposalContext = { ...services, organizationId, recipient: { id: recipientId, address, requestId } }
  const [row] = await select(
    ctx,
    (db) =>
      db
        .selectFrom('proposal')
        .selectAll()
        .select([recipientsColumn, sellerColumn, signaturesColumn, questionsColumn(recipientId)])
        .where('sent_at', 'is not', null)
        .where('id', '=', (eb) =>
          eb.selectFrom('proposal_recipient').select('proposal_id').where('id', '=', recipientId).where('link_version', '=', version),
        ),
    { plannedOnce: true },
  )
  const recipient = row?.recipients.find(({ id }) => id === recipientId)
  if (row === undefined || row.seller === null || recipient === undefined) return undefined
  const { seller, signatures, questions } = row
  const newerUrl = row.superseded_by === null ? null : await newestLink(ctx, recipientId)
  return { ctx, secret, recipient, proposal: toProposal(ctx, row), seller, signatures, questions, newerUrl }
}

/** Selects the signatures of each proposal. Those of deleted contacts appear only in an accepted proposal, where they are evidence. */
export const signaturesColumn = (eb: ExpressionBuilder<Schema, 'proposal'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('proposal_signature as signature')
      .innerJoin('proposal_recipient as signer', 'signer.id', 'signature.recipient_id')
      .select(['signature.name', 'signature.drawing', 'signature.wording', 'signature.signed_at'])
      .whereRef('signer.proposal_id', '=', 'proposal.id')
      .where((of) =>
        of.or([
          of('proposal.status', '=', 'completed'),
          of.not(
            of.exists(
              of.selectFrom('contact').whereRef('contact.id', '=', 'signer.contact_id').where('contact.deleted_at', 'is not', null),
            ),
          ),
        ]),
      )
      .orderBy('signer.position'),
  )
    .$castTo<ShownSignature[]>()
    .as('signatures')
