import { z } from 'zod'
import { eventTypes } from './events.ts'
import { webUrlPattern } from './new-source.ts'
import { route } from './route.ts'
import { clearable, clearableText, idInput, pageOf, pageQuery, text, wholeNumber } from './schemas.ts'
import { WebhookDelivery } from './webhook-deliveries.ts'
import { WebhookEndpoint } from './webhook-endpoint.ts'

/** Seconds that the secret of before can go on signing after a rotation: 7 days. */
const maxSecretOverlapSeconds = 604_800

const WebhookEndpointWithSecret = WebhookEndpoint.extend({
  secret: z.string().meta({
    description: 'What its requests are signed with. It is shown this once and cannot be found out again.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  }),
}).meta({ id: 'WebhookEndpointWithSecret' })
export type WebhookEndpointWithSecret = z.input<typeof WebhookEndpointWithSecret>

const url = text(1, 2000).meta({
  format: 'uri',
  pattern: webUrlPattern,
  description:
    'http or https, without a name and password. An address that is not on the public internet is refused, now and at every attempt, unless the operator allows it.',
  examples: ['https://example.com/hooks/groundwork'],
})
const description = clearableText(500)
const wantedTypes = clearable(
  z
    .array(z.enum(eventTypes))
    .min(1)
    .max(100)
    .transform((types) => [...new Set(types)]),
).meta({ description: 'The types of events to send; null for all, those of later versions also' })

const base64Digit = '[A-Za-z0-9+/]'
const threeBytes = `(?:${base64Digit}{4})`
const [twoBytes, oneByte] = [`${base64Digit}{3}=`, `${base64Digit}{2}==`]
/** 24 to 63 bytes in whole groups and a rest, or 64 bytes. */
const secretForm = `^whsec_(?:${threeBytes}{8,20}(?:${threeBytes}|${twoBytes}|${oneByte})?|${threeBytes}{21}${oneByte})$`
const ownSecret = z
  .string()
  .regex(new RegExp(secretForm), 'must be whsec_ and the base64 of 24 to 64 bytes')
  .optional()
  .meta({ description: 'whsec_ and the base64 of 24 to 64 bytes; a random one by default' })

const CreateWebhook = z
  .strictObject({
    url,
    description: description.default(''),
    eventTypes: wantedTypes,
    enabled: z.boolean().default(true),
    secret: ownSecret,
  })
  .meta({
    id: 'CreateWebhook',
    examples: [{ url: 'https://example.com/hooks/groundwork', eventTypes: ['source.completed', 'source.failed'] }],
  })
export type CreateWebhook = z.output<typeof CreateWebhook>

const UpdateWebhook = z
  .strictObject({ url, description, eventTypes: wantedTypes, enabled: z.boolean() })
  .partial()
  .meta({ id: 'UpdateWebhook', examples: [{ enabled: true }] })
export type UpdateWebhook = z.output<typeof UpdateWebhook>

const RotateWebhookSecret = z
  .strictObject({
    secret: ownSecret,
    overlapSeconds: wholeNumber(0, maxSecretOverlapSeconds).default(86_400).meta({
      description: 'How long requests are signed with the secret of before as well. A further rotation ends that at once.',
    }),
  })
  .meta({ id: 'RotateWebhookSecret', examples: [{ overlapSeconds: 86_400 }] })
export type RotateWebhookSecret = z.output<typeof RotateWebhookSecret>

const moment = z.iso.datetime({ offset: true }).transform((value) => new Date(value))
const RedeliverEvents = z
  .strictObject({
    since: moment.meta({ description: 'Events from this moment on' }),
    until: moment.optional().meta({ description: 'Events before this moment; now by default' }),
    only: z.enum(['failed', 'missing', 'all']).default('missing').meta({
      description:
        'failed: those whose delivery was given up or cancelled; missing: all that it wants and that never reached it, also those from before it existed or while it was disabled; all: all that it wants, those that reached it also',
    }),
  })
  .meta({ id: 'RedeliverEvents', examples: [{ since: '2026-05-25T20:14:00.000Z', only: 'missing' }] })
export type RedeliverEvents = z.output<typeof RedeliverEvents>

const ListWebhooks = z.strictObject(pageQuery)
export type ListWebhooks = z.output<typeof ListWebhooks>

const params = z.object({ webhookId: idInput('whk') })
const wholeOrganization =
  'A token that is limited to some bases is refused with 403, since an endpoint receives the events of the whole organization.'

export const webhooks = {
  create: route({
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Create a webhook endpoint',
    description: `Its secret is in this answer and in no other. The token needs events:read as well. An organization has 50 endpoints at most. ${wholeOrganization}`,
    scope: 'webhooks:write',
    body: CreateWebhook,
    status: 201,
    reply: WebhookEndpointWithSecret,
    errors: ['conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'List webhook endpoints',
    description: `Newest first. ${wholeOrganization}`,
    scope: 'webhooks:read',
    query: ListWebhooks,
    status: 200,
    reply: pageOf(WebhookEndpoint),
  }),
  get: route({
    method: 'GET',
    path: '/v1/webhooks/{webhookId}',
    summary: 'Get a webhook endpoint',
    scope: 'webhooks:read',
    params,
    status: 200,
    reply: WebhookEndpoint,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/webhooks/{webhookId}',
    summary: 'Update a webhook endpoint',
    description:
      'Disabling it cancels its pending deliveries; what it misses until it is enabled again can be redelivered. The token needs events:read as well.',
    scope: 'webhooks:write',
    params,
    body: UpdateWebhook,
    status: 200,
    reply: WebhookEndpoint,
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/webhooks/{webhookId}',
    summary: 'Delete a webhook endpoint',
    description: 'Its deliveries and their log go with it.',
    scope: 'webhooks:write',
    params,
    status: 204,
  }),
  rotateSecret: route({
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/rotate-secret',
    summary: 'Give a webhook endpoint a new secret',
    description: 'Until the overlap ends every request carries two signatures, one by each secret.',
    scope: 'webhooks:write',
    params,
    body: RotateWebhookSecret,
    status: 200,
    reply: WebhookEndpointWithSecret,
  }),
  test: route({
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/test',
    summary: 'Send a test event',
    description:
      'An event of the type webhook_endpoint.test, for this endpoint alone and not in the event log; its data is the endpoint. It is sent once. 409 for an endpoint that is disabled.',
    scope: 'webhooks:write',
    params,
    status: 202,
    reply: WebhookDelivery,
    errors: ['conflict'],
  }),
  redeliver: route({
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/redeliver',
    summary: 'Send events again',
    description: 'Oldest first, in the background. 409 for an endpoint that is disabled.',
    scope: 'webhooks:write',
    params,
    body: RedeliverEvents,
    status: 202,
    reply: z.object({ count: z.number().int().meta({ description: 'How many events will be sent' }) }).meta({ id: 'RedeliveredEvents' }),
    errors: ['conflict'],
  }),
}
