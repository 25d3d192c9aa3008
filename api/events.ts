import { z } from 'zod'
import { Base } from './bases.ts'
import { Contact } from './contacts.ts'
import { Proposal } from './proposals.ts'
import { route } from './route.ts'
import { idInput, idOutput, pageOf, pageQuery, Timestamp } from './schemas.ts'
import { Source } from './sources.ts'
import { WebhookEndpoint } from './webhook-endpoint.ts'

const eventOf = <const T extends readonly [string, ...string[]], D extends z.ZodType>(types: T, data: D) =>
  z.object({ id: idOutput('evt'), type: z.enum(types), createdAt: Timestamp, data })

export const SourceEvent = eventOf(['source.processing', 'source.completed', 'source.failed', 'source.deleted'], Source).meta({
  id: 'SourceEvent',
})
export const BaseEvent = eventOf(['base.created', 'base.updated', 'base.deleted'], Base).meta({
  id: 'KnowledgeBaseEvent',
  description: 'base.deleted stands for the sources of the base too.',
})
export const ContactEvent = eventOf(['contact.created', 'contact.updated', 'contact.deleted'], Contact).meta({
  id: 'ContactEvent',
  description: 'A contact that is restored is a contact.updated.',
})
export const ProposalEvent = eventOf(['proposal.created', 'proposal.sent', 'proposal.expired', 'proposal.voided'], Proposal).meta({
  id: 'ProposalEvent',
  description: 'A proposal that is sent as it is created is both a proposal.created and a proposal.sent.',
})
export const WebhookEndpointEvent = eventOf(['webhook_endpoint.disabled'], WebhookEndpoint).meta({
  id: 'WebhookEndpointEvent',
  description: 'The service disabled it: it answered 410 Gone, or nothing but failures for five days.',
})

/** Something that happened. */
export const Event = z.discriminatedUnion('type', [SourceEvent, BaseEvent, ContactEvent, ProposalEvent, WebhookEndpointEvent]).meta({
  id: 'Event',
  description:
    '`data` is the record as the API showed it then. Once the record is deleted, its events show its ids, states, numbers and times; text is empty, and everything that can be null or absent is.',
})
export type Event = z.input<typeof Event>
export type EventType = Event['type']
export const eventTypes: readonly EventType[] = Event.options.flatMap((option) => option.shape.type.options)

/** What an event of this type tells of. */
export type EventData<T extends EventType> = DataIn<Event, T>
type DataIn<E, T> = E extends { type: infer U; data: infer D } ? (T extends U ? D : never) : never

const oneType = z.enum(eventTypes)
const type = z
  .union([oneType, z.array(oneType).max(50)])
  .transform((value) => [value].flat())
  .optional()
  .meta({ description: 'Repeat it to ask for several types; all of them by default.' })

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
    description: 'Everything that changed in the last 90 days.',
    scope: 'events:read',
    query: ListEvents,
    status: 200,
    reply: pageOf(Event),
  }),
  ofContact: route({
    method: 'GET',
    path: '/v1/contacts/{id}/timeline',
    summary: 'List what happened to a contact and its proposals, newest first',
    description: 'Events of the last 90 days.',
    scope: 'events:read',
    params: z.object({ id: idInput('ctc') }),
    query: ContactTimeline,
    status: 200,
    reply: pageOf(Event),
  }),
  stream: route({
    method: 'GET',
    path: '/v1/events/stream',
    summary: 'Follow events as they happen',
    description:
      'Server-sent events: `id` and `event` are those of the record in `data`. Starts with what happens from now on; with Last-Event-ID, with what happened since that event, or with the oldest one when that event is no longer kept. A comment comes every 15 seconds when there is nothing else.',
    scope: 'events:read',
    query: StreamEvents,
    status: 200,
    reply: Event,
    stream: true,
  }),
}
