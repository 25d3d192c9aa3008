import { z } from 'zod'
import { Activity } from './activities.ts'
import { AuditActor } from './actor.ts'
import { Base } from './bases.ts'
import { Company } from './companies.ts'
import { ContactImport } from './contact-imports.ts'
import { ContactJob } from './contact-jobs.ts'
import { ContactSuggestion } from './contact-suggestion.ts'
import { Contact } from './contacts.ts'
import { Proposal } from './proposals.ts'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, pageOf, pageQuery } from './schemas.ts'
import { Source } from './sources.ts'
import { WebhookEndpoint } from './webhook-endpoint.ts'

const eventOf = <const T extends readonly [string, ...string[]], D extends z.ZodType>(types: T, data: D) =>
  z.object({
    id: idOutput('evt'),
    type: z.enum(types).describe('Type of the event: the resource and the change.'),
    createdAt: createdAt.describe('Time of the change: UTC with milliseconds (ISO 8601).'),
    data,
  })

export const SourceEvent = eventOf(['source.processing', 'source.completed', 'source.failed', 'source.deleted'], Source).meta({
  id: 'SourceEvent',
  description: 'A change of a source. `source.processing` is emitted at the start of an attempt and at each further stage.',
})
export const BaseEvent = eventOf(['base.created', 'base.updated', 'base.deleted'], Base).meta({
  id: 'KnowledgeBaseEvent',
  description: 'A change of a knowledge base. `base.deleted` implies the deletion of its sources.',
})
export const ContactEvent = eventOf(
  ['contact.created', 'contact.updated', 'contact.deleted', 'contact.restored', 'contact.erased', 'contact.merged', 'contact.unmerged'],
  Contact,
).meta({
  id: 'ContactEvent',
  description:
    'A change of a contact. `contact.restored` undoes `contact.deleted`. `contact.erased` follows the erasure of its personal data. `contact.merged` and `contact.unmerged` are about the contact that stays; its `mergedIds` name the others.',
})
export const CompanyEvent = eventOf(
  ['company.created', 'company.updated', 'company.deleted', 'company.merged', 'company.unmerged'],
  Company,
).meta({
  id: 'CompanyEvent',
  description:
    'A change of a company. Restoring a company emits `company.updated`. `company.merged` and `company.unmerged` are about the company that stays; its `mergedIds` name the others.',
})
export const ActivityEvent = eventOf(['activity.created', 'activity.updated', 'activity.deleted'], Activity).meta({
  id: 'ActivityEvent',
  description:
    'A change of an activity of a contact. Deleting or erasing the contact deletes its activities without an event of their own.',
})
export const ImportEvent = eventOf(['import.completed', 'import.failed'], ContactImport).meta({
  id: 'ImportEvent',
  description:
    'The end of an import of contacts. `import.completed` also if some rows failed; `import.failed` if the file could not be read to its end. Dry runs and cancelled imports emit no event. `fileName`, `mapping` and `error` are empty, because they can name people and events are kept when a person is erased.',
})
export const ContactJobEvent = eventOf(['contact_job.completed', 'contact_job.failed'], ContactJob).meta({
  id: 'ContactJobEvent',
  description:
    'The end of a bulk change or a revert. Dry runs and cancelled jobs emit no event. `addTags` and `removeTags` are empty, because they can name people and events are kept when a person is erased.',
})
export const SuggestionEvent = eventOf(['suggestion.created'], ContactSuggestion).meta({
  id: 'SuggestionEvent',
  description: 'An agent suggested a value for a contact.',
})
export const ProposalEvent = eventOf(
  [
    'proposal.created',
    'proposal.sent',
    'proposal.delivery_failed',
    'proposal.reminded',
    'proposal.viewed',
    'proposal.signed',
    'proposal.completed',
    'proposal.rejected',
    'proposal.expired',
    'proposal.voided',
    'proposal.superseded',
    'proposal.question_asked',
  ],
  Proposal,
).meta({
  id: 'ProposalEvent',
  description:
    'A change of a proposal. Creating and sending a proposal in one request emits both `proposal.created` and `proposal.sent`. Changes to a draft and its deletion emit no event. `proposal.delivery_failed` is emitted when the email with the link could not be sent, and `proposal.reminded` with each reminder. `proposal.viewed` is emitted once, when a recipient first opens the proposal or answers it. `proposal.signed` is emitted with each signature of a proposal that needs more than one; with the last one, `proposal.completed` follows. `proposal.superseded` is emitted for a proposal when its revision is sent, instead of `proposal.voided`. `proposal.question_asked` is emitted when a recipient asks a question.',
})
export const WebhookEndpointEvent = eventOf(['webhook_endpoint.disabled'], WebhookEndpoint).meta({
  id: 'WebhookEndpointEvent',
  description: 'The service disabled a webhook endpoint: it answered 410 Gone, or every delivery failed for five days.',
})

export const Event = z
  .discriminatedUnion('type', [
    SourceEvent,
    BaseEvent,
    ContactEvent,
    CompanyEvent,
    ActivityEvent,
    ImportEvent,
    ContactJobEvent,
    SuggestionEvent,
    ProposalEvent,
    WebhookEndpointEvent,
  ])
  .meta({
    id: 'Event',
    description:
      'A change in the organization. `data` is the record as the API returned it at that time. After the deletion of the record, its events keep only ids, states, numbers and times: texts are empty, and nullable fields are null. This also applies to events of a proposal that are older than the deletion of its contact.',
  })
export type Event = z.input<typeof Event>
export type EventType = Event['type']
export const eventTypes: readonly EventType[] = Event.options.flatMap((option) => option.shape.type.options)

/** The record in an event of this type. */
export type EventData<T extends EventType> = DataIn<Event, T>
type DataIn<E, T> = E extends { type: infer U; data: infer D } ? (T extends U ? D : never) : never

const actor = AuditActor.nullable().describe('Author of the change; null for changes by former versions of the service.')
export const TimelineEntry = z
  .discriminatedUnion('type', [
    ContactEvent.extend({ actor }).meta({ id: 'ContactTimelineEntry', description: 'A change of the contact, with its author.' }),
    ActivityEvent.extend({ actor }).meta({ id: 'ActivityTimelineEntry', description: 'A change of an activity, with its author.' }),
    SuggestionEvent.extend({ actor }).meta({
      id: 'SuggestionTimelineEntry',
      description: 'A suggestion for the contact, with its author.',
    }),
    ProposalEvent.extend({ actor }).meta({ id: 'ProposalTimelineEntry', description: 'A change of a proposal, with its author.' }),
  ])
  .meta({
    id: 'TimelineEntry',
    description:
      'An event of a contact, an activity, a suggestion or a proposal, with its author. An event that is no longer in the event log has only the ids, states, numbers and times of its record, and the title of a proposal.',
  })
export type TimelineEntry = z.input<typeof TimelineEntry>

const oneType = z.enum(eventTypes)
const type = z
  .union([oneType, z.array(oneType).max(50)])
  .transform((value) => [value].flat())
  .optional()
  .meta({ description: 'Only events of this type. Repeat the parameter for several types.' })

const ListEvents = z.strictObject({ ...pageQuery, type })
export type ListEvents = z.output<typeof ListEvents>

const ContactTimeline = z.strictObject(pageQuery)
export type ContactTimeline = z.output<typeof ContactTimeline>

const StreamEvents = z.strictObject({ type })
export type StreamEvents = z.output<typeof StreamEvents>

export const events = {
  get: route({
    method: 'GET',
    path: '/v1/events/{eventId}',
    summary: 'Get an event',
    scope: 'events:read',
    params: z.object({ eventId: idInput('evt') }),
    status: 200,
    reply: Event,
  }),
  list: route({
    method: 'GET',
    path: '/v1/events',
    summary: 'List events, newest first',
    description: 'Events are kept for 90 days by default. Tokens limited to certain knowledge bases see no events of others.',
    scope: 'events:read',
    query: ListEvents,
    status: 200,
    reply: pageOf(Event),
  }),
  ofContact: route({
    method: 'GET',
    path: '/v1/contacts/{id}/timeline',
    summary: 'List the timeline of a contact, newest first',
    description:
      'Events of the contact, its activities and its proposals, with their authors. The timeline lasts as long as the contact. Once an event has left the event log, after 90 days by default, its entry has no texts but the title of a proposal.',
    scope: 'events:read',
    params: z.object({ id: idInput('ctc') }),
    query: ContactTimeline,
    status: 200,
    reply: pageOf(TimelineEntry),
  }),
  stream: route({
    method: 'GET',
    path: '/v1/events/stream',
    summary: 'Stream events',
    answer: 'A stream of server-sent events, open until the client closes it.',
    description:
      'Server-sent events, whose `id` and `event` are the id and type of the event in `data`. The stream starts with new events; with `Last-Event-ID`, it continues after that event, or starts with the oldest one if that event is no longer kept. A comment is sent every 15 seconds without events.',
    scope: 'events:read',
    query: StreamEvents,
    status: 200,
    reply: Event,
    stream: true,
  }),
}
