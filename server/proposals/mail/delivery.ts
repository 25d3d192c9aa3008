import type { ProposalDelivery } from '@groundwork/api'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'

/** The message that sent a proposal to a recipient. Times are texts in JSON. */
export interface SendingMail {
  readonly state: 'queued' | 'sent' | 'failed'
  readonly via: 'smtp' | 'files' | null
  readonly error: string | null
  readonly sent_at: string | null
  readonly withheld: string | null
}

const sendingMail = sql`json_build_object(
  'state', mail.state, 'via', mail.via, 'error', mail.error, 'sent_at', mail.sent_at, 'withheld', mail.withheld)`

/** Selects the `SendingMail` of a row of proposal_question, that of its answer; null without one. */
export const answerMailColumn: RawBuilder<SendingMail | null> = sql`(
  select ${sendingMail} from mail
  where mail.organization_id = proposal_question.organization_id and mail.proposal_id = proposal_question.proposal_id
    and mail.recipient_id = proposal_question.recipient_id and mail.kind = 'answer' and mail.occurrence = proposal_question.position)`

/** Selects the `SendingMail` of a row of proposal_recipient; null without one. */
export const sendingMailColumn: RawBuilder<SendingMail | null> = sql`(
  select ${sendingMail} from mail
  where mail.organization_id = proposal_recipient.organization_id and mail.proposal_id = proposal_recipient.proposal_id
    and mail.recipient_id = proposal_recipient.id and mail.kind = 'sent' and mail.occurrence = 0)`

/** Reasons why a proposal was not mailed. */
export const withheld = {
  noAddress: 'The recipient has no email address.',
  noMailServer: 'No mail server is configured, so the message was stored as a file.',
  notEnqueued: 'No email was sent to this recipient.',
}

/** Returns the delivery of a proposal that was sent, and the time of delivery. */
export function deliveryOf(
  mail: SendingMail | null,
  { hasAddress, isHidden, refusal }: { hasAddress: boolean; isHidden: boolean; refusal: string | null },
): { delivery: ProposalDelivery; deliveredAt: string | null } {
  const undelivered = (state: ProposalDelivery['state'], reason: string | null) => ({ delivery: { state, reason }, deliveredAt: null })
  const reason = mail === null ? refusal : mail.withheld
  if (reason !== null) return undelivered('withheld', reason)
  if (mail === null) return undelivered('withheld', hasAddress ? withheld.notEnqueued : withheld.noAddress)
  // Answers of mail servers repeat the address, which is hidden if the contact was deleted.
  const error = isHidden ? null : mail.error
  if (mail.state === 'queued') return undelivered('queued', error)
  if (mail.state === 'failed') return undelivered('failed', error ?? 'The message could not be sent.')
  if (mail.via === 'files' || mail.sent_at === null) return undelivered('withheld', withheld.noMailServer)
  return { delivery: { state: 'sent', reason: null }, deliveredAt: new Date(mail.sent_at).toISOString() }
}
