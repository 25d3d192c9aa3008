import { z } from 'zod'
import { Task } from './activities.ts'
import { Mail } from './mails.ts'
import { deliveryOutput } from './proposal-recipients.ts'
import { proposalStates } from './proposal-states.ts'
import { Proposal, totalOf } from './proposals.ts'
import { UnansweredQuestion, RetrievalDay } from './retrievals.ts'
import { route } from './route.ts'
import { idOutput, Timestamp } from './schemas.ts'
import { Source } from './sources.ts'
import { WebhookEndpoint } from './webhook-endpoint.ts'

/** Maximum number of entries in each list of the overview. */
export const overviewEntries = 5
/** Number of days with search statistics, including today. */
export const overviewDays = 14
/** Number of days before its expiry at which a proposal is listed. */
export const expiringDays = 7
/** Number of days after which a sent proposal without an answer is listed. */
export const waitingDays = 3
/** Number of hours before its due time at which a task is listed. */
export const dueHours = 24
/** Used share of a quota from which it is listed. */
export const nearQuotaShare = 0.9
/** Number of days for which accepted proposals count for the pipeline. */
export const pipelineDays = 30
/** Number of days for which questions without a good answer are listed. */
export const unansweredDays = 7
/** Number of days for which withheld messages are listed. */
export const withheldDays = 7
/** Maximum number of unanswered searches examined per knowledge base, newest first. */
export const unansweredLookedAt = 1000

const count = z.number().int()

const counted = <S extends z.ZodType>(entry: S, description: string) =>
  z
    .object({
      count: count.describe('Number of all entries.'),
      data: z.array(entry).describe(`First entries, at most ${overviewEntries}.`),
    })
    .meta({ description })

const without = (scope: string): string => `Null without the scope \`${scope}\`.`

const baseName = z.string().describe('Name of the knowledge base.')

const FailedSource = Source.pick({ id: true, baseId: true, name: true, type: true, status: true, errorCode: true, error: true })
  .extend({ baseName, updatedAt: Timestamp.describe('Time of the last change, usually the failure: UTC with milliseconds.') })
  .meta({ id: 'FailedSource', description: 'A source whose last attempt failed.' })

const AilingWebhook = WebhookEndpoint.pick({ id: true, url: true, description: true, enabled: true, disabledAt: true })
  .extend(WebhookEndpoint.pick({ disabledReason: true, failingSince: true }).shape)
  .meta({ id: 'AilingWebhook', description: 'A failing webhook endpoint.' })

const OpenProposal = Proposal.pick({ id: true, number: true, title: true, contactId: true, totalAmount: true, currency: true })
  .extend(Proposal.pick({ sentAt: true, viewedAt: true, expiresAt: true }).shape)
  .meta({ id: 'OpenProposal', description: 'A pending proposal.' })

const UndeliveredProposal = OpenProposal.extend({
  delivery: deliveryOutput.describe('State of the email to the first recipient that it did not reach.'),
  url: z.string().nullable().describe('Page of the proposal for this recipient.'),
}).meta({
  id: 'UndeliveredProposal',
  description: 'A pending proposal that was not delivered by email to a recipient.',
})

const WithheldMessage = Mail.pick({ id: true, kind: true })
  .extend({
    reason: z.string().describe('`do_not_contact`: the recipient refuses email.'),
    proposalId: idOutput('prp').describe('Id of the proposal that the message is about: `prp_` and a UUID.'),
    number: Proposal.shape.number,
    title: Proposal.shape.title,
    createdAt: Timestamp.describe('Time of the message: UTC with milliseconds (ISO 8601).'),
  })
  .meta({ id: 'WithheldMessage', description: 'A message about a proposal that was not sent, because its recipient refuses email.' })

const BaseQuestion = UnansweredQuestion.extend({ baseId: idOutput('kb'), baseName }).meta({
  id: 'UnansweredQuestionOfBase',
  description: 'A question without a good answer in a knowledge base.',
})

const NearQuota = z
  .object({
    resource: z.enum(['storageBytes', 'chunks', 'sources']).describe('The resource, as in `usage` of the organization.'),
    used: z.int().describe('Amount in use.'),
    limit: z.int().describe('The quota.'),
  })
  .meta({ id: 'NearQuota', description: 'A quota of which at least 90 % are used.' })
export type NearQuota = z.output<typeof NearQuota>

const BackupWarning = z
  .object({
    problem: z
      .enum(['failed', 'late', 'missing', 'unreadable'])
      .describe(
        '`failed`: the last attempt failed; `late`: the newest backup is older than twice the interval; `missing`: there is no backup yet; `unreadable`: the place for backups cannot be read.',
      ),
    newestAt: Timestamp.nullable().describe('Time of the newest backup, UTC with milliseconds; null without a known one.'),
  })
  .meta({ id: 'BackupWarning', description: 'A problem of the scheduled backups.' })

/** A list of the overview; null without the scope. */
const attentionTo = <S extends z.ZodType>(entry: S, description: string, scope: string, further = '') =>
  counted(entry, description)
    .nullable()
    .meta({ description: `${description} ${without(scope)}${further}` })

const attention = z.object({
  sources: attentionTo(
    FailedSource,
    'Sources whose last attempt failed, newest failure first, including those with former content that stays searchable.',
    'sources:read',
  ),
  webhooks: attentionTo(
    AilingWebhook,
    'Webhook endpoints whose deliveries fail, and those that the service disabled for that reason.',
    'webhooks:read',
    ' Null for tokens limited to certain knowledge bases.',
  ),
  expiring: attentionTo(OpenProposal, `Pending proposals that expire within ${expiringDays} days, the next one first.`, 'proposals:read'),
  waiting: attentionTo(OpenProposal, `Pending proposals sent at least ${waitingDays} days ago, the oldest first.`, 'proposals:read'),
  undelivered: attentionTo(
    UndeliveredProposal,
    'Pending proposals that a recipient has not opened and whose email to this recipient failed or was not sent, because there is no address or the recipient refuses email. The oldest first.',
    'proposals:read',
  ),
  withheld: attentionTo(
    WithheldMessage,
    `Other messages about proposals, such as answers, reminders and confirmations, of the last ${withheldDays} days that were not sent because the recipient refuses email, the most recent one first.`,
    'proposals:read',
  ),
  countersign: attentionTo(
    OpenProposal,
    'Pending proposals that all signers have signed and that wait for the counter-signature of the organization, the oldest first.',
    'proposals:read',
  ),
  tasks: attentionTo(Task, `Open tasks that are overdue or due within ${dueHours} hours, by due time.`, 'contacts:read'),
  questions: attentionTo(
    BaseQuestion,
    `Questions of the last ${unansweredDays} days without a good answer, the most recent one first. ` +
      `Only the newest ${unansweredLookedAt} unanswered searches of each knowledge base are examined.`,
    'retrievals:read',
  ),
  quotas: z
    .array(NearQuota)
    .nullable()
    .describe('Quotas of which at least 90 % are used. Null for tokens limited to certain knowledge bases.'),
  backup: BackupWarning.nullable().describe(
    'A problem of the scheduled backups of the service. Null if there is none, without scheduled backups, and for everybody but owners and admins.',
  ),
})

const states = z.object(
  Object.fromEntries(proposalStates.map((state) => [state, count.describe(`Number of proposals with the status \`${state}\`.`)])) as Record<
    (typeof proposalStates)[number],
    typeof count
  >,
)

const totals = z.object({
  contacts: count.nullable().describe(`Number of contacts. ${without('contacts:read')}`),
  proposals: states.nullable().describe(`Number of proposals by status. ${without('proposals:read')}`),
  bases: count.nullable().describe(`Number of knowledge bases. ${without('bases:read')}`),
  sources: z
    .object({
      count: count.describe('Number of sources.'),
      processing: count.describe('Number of sources being processed.'),
      chunks: count.describe('Number of searchable chunks.'),
    })
    .nullable()
    .describe(`Totals of all sources. ${without('sources:read')}`),
  tokens: count.nullable().describe(`Number of API tokens that are neither expired nor revoked. ${without('tokens:read')}`),
  members: z
    .object({
      count: count.describe('Number of members.'),
      invitations: count.describe('Number of open invitations that have not expired.'),
    })
    .nullable()
    .describe(`Members and invitations. ${without('members:read')}`),
})

const PipelineStage = totalOf(z.enum(['draft', 'pending', 'completed'])).meta({
  id: 'PipelineStage',
  description: 'Number and value of the proposals in a stage of the pipeline, in one currency.',
})

const Overview = z
  .object({
    attention: attention.describe('Items that need attention.'),
    searches: z
      .object({
        days: z
          .array(RetrievalDay)
          .describe(
            `Statistics of the last ${overviewDays} days in UTC, newest first. Days without searches are left out. A search in several knowledge bases counts once for each, and those in the playground of the dashboard do not count.`,
          ),
        lastAt: Timestamp.nullable().describe('Time of the newest logged search, also in the playground; null without one.'),
      })
      .nullable()
      .describe(`Searches in the knowledge bases with a log. ${without('retrievals:read')}`),
    pipeline: z
      .array(PipelineStage)
      .nullable()
      .describe(
        `Value of drafts, of pending proposals and of those accepted in the last ${pipelineDays} days: one entry for each status and currency that occurs, by status, then currency. ${without('proposals:read')}`,
      ),
    pipelineSince: Timestamp.nullable().describe(
      `Time from which accepted proposals are in \`pipeline\`, for \`completedAfter\` of \`GET /v1/proposals\`. ${without('proposals:read')}`,
    ),
    totals: totals.describe('Number of records.'),
  })
  .meta({ id: 'Overview', description: 'The state of the organization.' })
export type Overview = z.input<typeof Overview>

export const overview = {
  get: route({
    method: 'GET',
    path: '/v1/overview',
    summary: 'Get the overview of the organization',
    answer: 'The overview.',
    description:
      'Returns items that need attention, search statistics, the value of open and recently accepted proposals, and the number of records. Each part needs the scope for listing its records and is null without it. Tokens limited to certain knowledge bases see only those.',
    scope: 'organization:read',
    status: 200,
    reply: Overview,
  }),
}
