import { z } from 'zod'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, pageOf, pageQuery, Timestamp } from './schemas.ts'

const mailKinds = [
  'invitation',
  'sent',
  'reminder',
  'accepted',
  'declined',
  'voided',
  'expired',
  'question',
  'answer',
  'countersign',
] as const
export type MailKind = (typeof mailKinds)[number]
const mailStates = ['queued', 'sent', 'failed', 'withheld'] as const

export const Mail = z
  .object({
    id: idOutput('msg'),
    kind: z.enum(mailKinds).describe('`invitation`: to join the organization; all others are about the proposal in `proposalId`.'),
    to: z.string().describe('Email address of the recipient.'),
    subject: z.string().describe('Subject of the message.'),
    text: z
      .string()
      .describe(
        'Plain text of a message that was stored because no mail server is configured. Empty if one is, because it contains a link.',
      ),
    state: z
      .enum(mailStates)
      .describe(
        '`queued`: waits for its first or next attempt; `sent`: accepted by the mail server, or written as a file without one; `failed`: refused, given up after a day, or interrupted while the mail server accepted it; `withheld`: not sent, because the recipient refuses email.',
      ),
    error: z
      .string()
      .nullable()
      .describe(
        'Answer of the mail server, or the reason why the last attempt failed; `do_not_contact` if it is withheld; null without a failure.',
      ),
    attempts: z.int().min(0).describe('Number of attempts to send it.'),
    proposalId: idOutput('prp').nullable().describe('Id of the proposal that the message is about; null for invitations.'),
    createdAt,
    sentAt: Timestamp.nullable().describe('Time at which it was sent; null until then.'),
  })
  .meta({ id: 'Mail', description: 'An email message with its state. Messages are listed for 30 days.' })
export type Mail = z.input<typeof Mail>

const ListMails = z.strictObject({
  ...pageQuery,
  state: z.enum(mailStates).optional().describe('Only messages in this state.'),
  proposalId: idInput('prp').optional().describe('Only messages about this proposal.'),
})
export type ListMails = z.output<typeof ListMails>

export const mails = {
  list: route({
    method: 'GET',
    path: '/v1/mails',
    summary: 'List messages, newest first',
    description:
      'Returns messages with their states. Without `SMTP_URL`, they contain their text with invitation links, so reading them needs the scope for inviting.',
    scope: 'members:write',
    query: ListMails,
    status: 200,
    reply: pageOf(Mail),
  }),
  get: route({
    method: 'GET',
    path: '/v1/mails/{mailId}',
    summary: 'Get a message',
    scope: 'members:write',
    params: z.object({ mailId: idInput('msg') }),
    status: 200,
    reply: Mail,
  }),
}
