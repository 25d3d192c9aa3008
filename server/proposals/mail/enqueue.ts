import { wireId } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { defer } from '../../db/deferred.ts'
import type { OrganizationTable, Transaction } from '../../db/schema.ts'
import { enqueueMail } from '../../mail/send.ts'
import { membersIn } from '../../members/members.ts'
import type { ProposalContext } from '../context.ts'
import type { RecipientRow } from '../recipients.ts'
import type { ProposalRow } from '../record.ts'
import { sellerColor, sellerName } from '../seller.ts'
import { waitingSigners } from '../signers/turns.ts'
import { amountFormat, dateFormat, expiryFormat, momentFormat } from '../words/format.ts'
import { localeOf, wordsOf } from '../words/words.ts'
import { isSamePerson } from '../versions/same-person.ts'
import { replyToOf } from './reply-to.ts'
import { doNotContact, noteRefusals, refusesEmail } from './withhold.ts'
import { proposalMail, type ProposalMailContent, type ProposalMailKind } from './template.ts'

/** Color of buttons if the organization has none. */
const defaultColor = '#1f5f8b'

/**
 * Enqueues the messages about a change of a proposal to its recipients with an address, except deleted contacts. If a recipient refuses
 * email, the message is stored as withheld. When the proposal is closed, queued requests for an answer are withdrawn. `voided` and
 * `expired` go only to recipients of an earlier message, and not to recipients of a newer version. Signers get none before their turn.
 * @param kind `reminder` goes to signers without an answer
 * @param occurrence day of the reminder
 * @param recipientId the only recipient; all by default
 * @param sentAt time at which the turn of this recipient came; by default, that of sending
 * @returns the number of messages that were not enqueued before and will be sent
 */
export async function enqueueProposalMails(
  ctx: ProposalContext,
  trx: Transaction,
  { proposalId, kind, occurrence = 0, recipientId, sentAt }: MailOptions,
): Promise<number> {
  if (kind === 'sent') await noteRefusals(trx, proposalId)
  const isOpen = kind === 'sent' || kind === 'reminder'
  if (!isOpen) await withdrawQueued(trx, proposalId)
  const [{ proposal: stored, organization }, addressees] = await Promise.all([
    subjectOf(ctx, trx, proposalId),
    recipientsOf(trx, proposalId, kind),
  ])
  const proposal = { ...stored, sent_at: sentAt ?? stored.sent_at }
  const waiting = await waitingIn(trx, proposal)
  const recipients = addressees.filter(({ id }) => !waiting.includes(id) && (recipientId === undefined || id === recipientId))
  const replaces = kind === 'sent' ? await replacedNumber(trx, proposal) : null
  const replyTo = await replyToOf(trx, proposal, organization)
  let added = 0
  for (const { email, refuses, ...recipient } of recipients) {
    const { language } = organization
    const content = contentOf(ctx, {
      proposal,
      recipient: { ...recipient, language: recipient.language ?? language },
      kind,
      organization,
      replaces,
    })
    const isNew = await enqueueMail(ctx, trx, {
      kind,
      to: email,
      replyTo,
      ...content,
      proposal: { proposalId: proposal.id, recipientId: recipient.id, contactId: recipient.contact_id, occurrence },
      withheld: refuses ? doNotContact : null,
    })
    if (isNew && !refuses) added += 1
  }
  if (kind === 'accepted' || kind === 'declined') await enqueueNotices(ctx, trx, { proposal, kind, organization })
  return added
}

interface MailOptions {
  proposalId: string
  kind: ProposalMailKind
  occurrence?: number
  recipientId?: string | undefined
  sentAt?: Date | undefined
}

/** Returns the ids of the signers who wait for another one. */
async function waitingIn(trx: Transaction, { id, signing_order }: ProposalRow): Promise<string[]> {
  if (signing_order === 'parallel') return []
  const recipients = await trx
    .selectFrom('proposal_recipient')
    .select(['id', 'role', 'signed_at'])
    .where('proposal_id', '=', id)
    .orderBy('position')
    .execute()
  return waitingSigners(signing_order, recipients).map((signer) => signer.id)
}

interface Notice {
  /** The contact that the message is about; none by default. */
  contactId?: string | null
  occurrence?: number
}

/** Enqueues the same message to the owners of the organization, in its language. */
export async function enqueueNotices(
  ctx: ProposalContext,
  trx: Transaction,
  { contactId = null, occurrence = 0, ...subject }: Omit<Subject, 'recipient'> & Notice,
): Promise<void> {
  const { proposal, kind, organization } = subject
  const owners = await membersIn(trx).where('member.role', '=', 'owner').execute()
  const signer = await trx
    .selectFrom('proposal_recipient')
    .selectAll()
    .where('proposal_id', '=', proposal.id)
    .where('role', '=', 'signer')
    .orderBy('position')
    .limit(1)
    .executeTakeFirstOrThrow()
  for (const { id, name, email } of owners) {
    const content = contentOf(ctx, { ...subject, recipient: { ...signer, name, language: organization.language } })
    await enqueueMail(ctx, trx, {
      kind,
      to: email,
      ...content,
      proposal: { proposalId: proposal.id, recipientId: id, contactId, occurrence },
    })
  }
}

/** The address is not null. */
type Addressee = RecipientRow & { email: string; refuses: boolean }

/** Returns the recipients of a message who have an address and are no deleted contacts, and whether they refuse email. */
export async function recipientsOf(trx: Transaction, proposalId: string, kind: ProposalMailKind): Promise<Addressee[]> {
  let query = trx
    .selectFrom('proposal_recipient')
    .selectAll()
    .select(refusesEmail.as('refuses'))
    .where('proposal_id', '=', proposalId)
    .where('email', 'is not', null)
    .where((of) =>
      of.not(
        of.exists(
          of.selectFrom('contact').whereRef('contact.id', '=', 'proposal_recipient.contact_id').where('deleted_at', 'is not', null),
        ),
      ),
    )
  if (kind === 'reminder') query = query.where('role', '=', 'signer').where('signed_at', 'is', null).where('declined_at', 'is', null)
  if (kind === 'reminder' || kind === 'voided' || kind === 'expired') {
    query = query.where((of) =>
      of.exists(
        of
          .selectFrom('mail')
          .whereRef('mail.proposal_id', '=', 'proposal_recipient.proposal_id')
          .whereRef('mail.recipient_id', '=', 'proposal_recipient.id')
          .where('mail.kind', '=', 'sent')
          .where('mail.state', '<>', 'failed'),
      ),
    )
  }
  if (kind === 'voided') query = query.where(hasNoNewerVersion)
  return query.orderBy('position').$narrowType<{ email: string }>().execute()
}

/** SQL condition: the version that replaces the proposal does not have the recipient, or there is none. */
const hasNoNewerVersion = sql<boolean>`not exists (
  select from proposal_recipient as former
    join proposal on proposal.id = former.proposal_id
    join proposal_recipient as newer on newer.proposal_id = proposal.superseded_by
  where former.id = proposal_recipient.id and ${isSamePerson})`

/** A message that the mail server may already have accepted stays. */
async function withdrawQueued(trx: Transaction, proposalId: string): Promise<void> {
  const deletion = trx
    .deleteFrom('mail')
    .where('proposal_id', '=', proposalId)
    .where('kind', 'in', ['sent', 'reminder'])
    .where('state', '=', 'queued')
    .where('handed_over_at', 'is', null)
  await defer(trx, deletion.compile())
}

interface Subject {
  proposal: ProposalRow
  recipient: Omit<RecipientRow, 'email'>
  kind: ProposalMailKind
  organization: Selectable<OrganizationTable>
  /** Number of the proposal that this one replaces. */
  replaces?: string | null
  question?: ProposalMailContent['question']
  /** The link of the message; by default, the one of the recipient. */
  url?: string
}

/** Returns what all messages about a proposal are about. */
export async function subjectOf({ organizationId }: ProposalContext, trx: Transaction, proposalId: string) {
  const [proposal, organization] = await Promise.all([
    trx.selectFrom('proposal').selectAll().where('id', '=', proposalId).executeTakeFirstOrThrow(),
    trx.selectFrom('organization').selectAll().where('id', '=', organizationId).executeTakeFirstOrThrow(),
  ])
  return { proposal, organization }
}

/** Returns the URL of a proposal in the dashboard. */
export const dashboardUrl = ({ baseUrl }: ProposalContext, { slug }: Selectable<OrganizationTable>, { id }: ProposalRow): string =>
  `${baseUrl}/app/${slug}/proposals/${wireId('prp', id)}`

/** Returns the content of a message to a recipient, in the language of the recipient. */
export function contentOf(
  { organizationId, proposalLinks, now }: ProposalContext,
  { proposal, recipient, kind, organization, replaces = null, question = null, url }: Subject,
) {
  const locale = localeOf(recipient.language)
  const date = dateFormat(locale, organization.time_zone)
  return proposalMail({
    kind,
    words: wordsOf(recipient.language),
    organization: sellerName(organization),
    color: sellerColor(organization) ?? defaultColor,
    isCopy: recipient.role === 'copy',
    name: recipient.name,
    title: proposal.title,
    number: `P-${proposal.number}`,
    total: amountFormat(locale, proposal.currency)(proposal.total_amount),
    validUntil: proposal.expires_at && expiryFormat(locale, organization.time_zone)(proposal.expires_at),
    sentOn: date(proposal.sent_at ?? now()),
    moment: momentFormat(locale, organization.time_zone)(now()),
    message: proposal.message,
    replaces,
    question,
    reason: reasonOf(proposal, kind),
    url: url ?? proposalLinks.urlOf({ organizationId, recipientId: recipient.id, version: recipient.link_version }),
  })
}

async function replacedNumber(trx: Transaction, { supersedes }: ProposalRow): Promise<string | null> {
  if (supersedes === null) return null
  const { number } = await trx.selectFrom('proposal').select('number').where('id', '=', supersedes).executeTakeFirstOrThrow()
  return `P-${number}`
}

/** The reason of a proposal that was replaced names a version that the recipient does not receive. */
function reasonOf({ void_reason, superseded_by, reject_reason }: ProposalRow, kind: ProposalMailKind): string | null {
  if (kind === 'declined') return reject_reason
  return kind === 'voided' && superseded_by === null ? void_reason : null
}
