import type { Proposal } from '@groundwork/api'
import { sql, type ExpressionBuilder } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { select } from '../../context.ts'
import { compiledStatement } from '../../db/compiled-statement.ts'
import type { Schema, Transaction } from '../../db/schema.ts'
import type { ProposalContext, ProposalServices } from '../context.ts'
import { contactDeletedAt, recipientsColumn, type StoredRecipient } from '../recipients.ts'
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

/** A link that this installation made. Nothing has been read yet. */
export interface Link {
  readonly ctx: ProposalContext
  readonly secret: string
  readonly recipientId: string
  readonly version: number
}

/** Verifies the last part of a link. Returns undefined if this installation did not make it. */
export function verifyLink(services: ProposalServices, secret: string, { address, requestId }: Visitor): Link | undefined {
  const linked = services.proposalLinks.read(secret)
  if (linked === undefined) return undefined
  const { organizationId, recipientId, version } = linked
  const ctx: ProposalContext = { ...services, organizationId, recipient: { id: recipientId, address, requestId } }
  return { ctx, secret, recipientId, version }
}

/** Returns what a link leads to; undefined for a link that is no longer valid. */
export async function openLink(link: Link): Promise<(Visit & { readonly rowVersions: string }) | undefined> {
  const { ctx, secret, recipientId } = link
  const [row] = await select(ctx, visited(link), { plannedOnce: true })
  const recipient = row?.recipients.find(({ id }) => id === recipientId)
  if (row === undefined || row.seller === null || recipient === undefined) return undefined
  const { seller, signatures, questions, row_versions } = row
  const newerUrl = row.superseded_by === null ? null : await newestLink(ctx, recipientId)
  return { ctx, secret, recipient, proposal: toProposal(ctx, row), seller, signatures, questions, newerUrl, rowVersions: row_versions }
}

/** Returns the versions of the rows that `openLink` would read; undefined for a link that is no longer valid. */
export async function rowVersionsOf(link: Link): Promise<string | undefined> {
  const [row] = await select(link.ctx, linkedVersions(link), { plannedOnce: true })
  return row?.row_versions
}

/** The proposal of a link, without its content. */
export interface LinkedProposal {
  readonly ctx: ProposalContext
  readonly proposalId: string
  readonly status: Proposal['status']
}

/** Returns the proposal of a link; undefined for a link that is no longer valid. */
export async function linkedProposalOf(link: Link): Promise<LinkedProposal | undefined> {
  const [row] = await select(link.ctx, linkedProposal(link), { plannedOnce: true })
  return row && { ctx: link.ctx, proposalId: row.id, status: row.status }
}

type LinkValues = Pick<Link, 'recipientId' | 'version'>

/** Selects the proposal that was sent to a recipient. */
const ofLink = (db: Transaction, { recipientId, version }: LinkValues) =>
  db
    .selectFrom('proposal')
    .where('sent_at', 'is not', null)
    .where('id', '=', (eb) =>
      eb.selectFrom('proposal_recipient').select('proposal_id').where('id', '=', recipientId).where('link_version', '=', version),
    )

/**
 * Selects the versions of all rows that the page of a recipient shows. Every change of a row gives it the id of the transaction that
 * changed it as its `xmin`. Emails are left out, because the page shows no delivery.
 */
const rowVersionsColumn = (recipientId: string) =>
  sql<string>`format('%s;%s;%s;%s', proposal.xmin,
    (select organization.xmin from organization where organization.id = proposal.organization_id),
    (select string_agg(format('%s,%s,%s', recipient.xmin,
        (select contact.xmin from contact
          where contact.organization_id = recipient.organization_id and contact.id = recipient.contact_id),
        (select signature.xmin from proposal_signature as signature
          where signature.organization_id = recipient.organization_id and signature.recipient_id = recipient.id)),
        ' ' order by recipient.position)
      from proposal_recipient as recipient where recipient.organization_id = proposal.organization_id and recipient.proposal_id = proposal.id),
    (select string_agg(question.xmin::text, ' ' order by question.position) from proposal_question as question
      where question.organization_id = proposal.organization_id and question.proposal_id = proposal.id
        and question.recipient_id = ${recipientId}))`.as('row_versions')

const linkedProposal = compiledStatement((db, link: LinkValues) => ofLink(db, link).select(['id', 'status']))

const linkedVersions = compiledStatement((db, link: LinkValues) => ofLink(db, link).select(rowVersionsColumn(link.recipientId)))

const visited = compiledStatement((db, link: LinkValues) =>
  ofLink(db, link)
    .selectAll()
    .select([recipientsColumn, sellerColumn, signaturesColumn, questionsColumn(link.recipientId), rowVersionsColumn(link.recipientId)]),
)

/** Selects the signatures of each proposal. Those of deleted contacts appear only in an accepted proposal, where they are evidence. */
export const signaturesColumn = (eb: ExpressionBuilder<Schema, 'proposal'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('proposal_recipient as signer')
      .innerJoin('proposal_signature as signature', (join) =>
        join.onRef('signature.organization_id', '=', 'signer.organization_id').onRef('signature.recipient_id', '=', 'signer.id'),
      )
      .select(['signature.name', 'signature.drawing', 'signature.wording', 'signature.signed_at'])
      .whereRef('signer.organization_id', '=', 'proposal.organization_id')
      .whereRef('signer.proposal_id', '=', 'proposal.id')
      .where((of) => of.or([of('proposal.status', '=', 'completed'), sql<boolean>`${contactDeletedAt('signer')} is null`]))
      .orderBy('signer.position'),
  )
    .$castTo<ShownSignature[]>()
    .as('signatures')
