import { z } from 'zod'
import { Proposal, proposalStates } from './proposals.ts'
import { UnansweredQuestion, RetrievalDay } from './retrievals.ts'
import { route } from './route.ts'
import { idOutput, Timestamp } from './schemas.ts'
import { Source } from './sources.ts'
import { WebhookEndpoint } from './webhook-endpoint.ts'

/** Entries that each list of the overview has at most, whatever it counts. */
export const overviewEntries = 5
/** Days of searches that it tells of, today's among them. */
export const overviewDays = 14
/** Days within which a proposal's end is near. */
export const expiringDays = 7
/** Days after which a proposal that was sent waits for an answer for long. */
export const waitingDays = 3
/** Days of questions without a good answer. */
export const unansweredDays = 7
/** Searches without a good answer of a base that are looked at, newest first. */
export const unansweredLookedAt = 1000

const count = z.number().int()

const counted = <S extends z.ZodType>(entry: S, description: string) =>
  z
    .object({ count, data: z.array(entry) })
    .meta({ description: `${description}; ${overviewEntries} of them at most, and how many there are` })

const without = (scope: string): string => `null without the scope ${scope}`

const FailedSource = Source.pick({ id: true, baseId: true, name: true, type: true, status: true, errorCode: true, error: true })
  .extend({ baseName: z.string(), updatedAt: Timestamp.meta({ description: 'As a rule when it failed' }) })
  .meta({ id: 'FailedSource' })

const AilingWebhook = WebhookEndpoint.pick({ id: true, url: true, description: true, enabled: true, disabledAt: true })
  .extend(WebhookEndpoint.pick({ disabledReason: true, failingSince: true }).shape)
  .meta({ id: 'AilingWebhook' })

const OpenProposal = Proposal.pick({ id: true, number: true, title: true, contactId: true, totalAmount: true, currency: true })
  .extend(Proposal.pick({ sentAt: true, viewedAt: true, expiresAt: true }).shape)
  .meta({ id: 'OpenProposal' })

const BaseQuestion = UnansweredQuestion.extend({ baseId: idOutput('kb'), baseName: z.string() }).meta({ id: 'UnansweredQuestionOfBase' })

const attention = z.object({
  sources: counted(FailedSource, 'Sources whose last attempt failed, newest failure first, also those of which earlier content serves on')
    .nullable()
    .meta({ description: without('sources:read') }),
  webhooks: counted(AilingWebhook, 'Endpoints whose deliveries fail, and those that the service disabled for that')
    .nullable()
    .meta({ description: `${without('webhooks:read')}, and for a token that is limited to some bases` }),
  expiring: counted(OpenProposal, `Pending proposals that expire within ${expiringDays} days, the next one first`)
    .nullable()
    .meta({ description: without('proposals:read') }),
  waiting: counted(OpenProposal, `Pending proposals that were sent ${waitingDays} days ago or earlier, the one that waits longest first`)
    .nullable()
    .meta({ description: without('proposals:read') }),
  questions: counted(
    BaseQuestion,
    `Questions of the last ${unansweredDays} days that a base has no good answer to, the one that was asked last first. ` +
      `Of each base its newest ${unansweredLookedAt} searches without a good answer are looked at, at most`,
  )
    .nullable()
    .meta({ description: without('retrievals:read') }),
})

const states = z.object(
  Object.fromEntries(proposalStates.map((state) => [state, count])) as Record<(typeof proposalStates)[number], typeof count>,
)

const totals = z.object({
  contacts: count.nullable().meta({ description: without('contacts:read') }),
  proposals: states.nullable().meta({ description: `By state; ${without('proposals:read')}` }),
  bases: count.nullable().meta({ description: without('bases:read') }),
  sources: z
    .object({ count, processing: count, chunks: count })
    .nullable()
    .meta({ description: without('sources:read') }),
  tokens: count.nullable().meta({ description: `API tokens that work; ${without('tokens:read')}` }),
  members: z
    .object({ count, invitations: count })
    .nullable()
    .meta({ description: without('members:read') }),
})

const Overview = z
  .object({
    attention: attention.meta({ description: 'What somebody should look at' }),
    searches: z
      .object({
        days: z.array(RetrievalDay).meta({
          description: `The last ${overviewDays} days in UTC, newest first; a day without a search is left out. Searches of several bases count once for each`,
        }),
        lastAt: Timestamp.nullable().meta({ description: 'Of the newest search that is kept' }),
      })
      .nullable()
      .meta({ description: `Of the bases that keep a log; ${without('retrievals:read')}` }),
    totals,
  })
  .meta({ id: 'Overview' })
export type Overview = z.input<typeof Overview>

export const overview = {
  get: route({
    method: 'GET',
    path: '/v1/overview',
    summary: 'Tell how the organization does',
    description:
      'What needs attention, how searches went, and how much there is of everything. Each part takes the scope that lists its records, and is null without it; a token that is limited to some bases is told of those alone.',
    scope: 'organization:read',
    status: 200,
    reply: Overview,
  }),
}
