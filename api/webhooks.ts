import { z } from 'zod'
import { eventTypes } from './events.ts'
import { webUrlPattern } from './new-source.ts'
import { route } from './route.ts'
import { clearable, clearableText, idInput, boundInput, pageOf, pageQuery, text, wholeNumber } from './schemas.ts'
import { WebhookDelivery } from './webhook-deliveries.ts'
import { WebhookEndpoint } from './webhook-endpoint.ts'

/** Maximum time in seconds for which the former secret still signs after a rotation: 7 days. */
const maxSecretOverlapSeconds = 604_800

const WebhookEndpointWithSecret = WebhookEndpoint.extend({
  secret: z.string().meta({
    description: 'Key of the signatures (HMAC-SHA256). It is returned only once and cannot be recovered.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  }),
}).meta({ id: 'WebhookEndpointWithSecret', description: 'A webhook endpoint with its secret.' })
export type WebhookEndpointWithSecret = z.input<typeof WebhookEndpointWithSecret>

const url = text(1, 2000).meta({
  format: 'uri',
  pattern: webUrlPattern,
  description:
    'Absolute http or https URL without credentials. Its host must be on the public internet, unless the operator allows it (`FETCH_ALLOW_HOSTS`); this is checked now and at every attempt.',
  examples: ['https://example.com/hooks/groundwork'],
})
const description = clearableText(500).meta({ description: 'Note on the purpose of the endpoint. null or the empty string clears it.' })
const enabled = z.boolean().meta({ description: 'Whether events are sent.' })
const wantedTypes = clearable(
  z
    .array(z.enum(eventTypes))
    .min(1)
    .max(100)
    .transform((types) => [...new Set(types)]),
).meta({ description: 'Types of events to send; null for all, including those of later versions.' })

const base64Digit = '[A-Za-z0-9+/]'
const threeBytes = `(?:${base64Digit}{4})`
const [twoBytes, oneByte] = [`${base64Digit}{3}=`, `${base64Digit}{2}==`]
/** Base64 of 24 to 64 bytes. */
const secretForm = `^whsec_(?:${threeBytes}{8,20}(?:${threeBytes}|${twoBytes}|${oneByte})?|${threeBytes}{21}${oneByte})$`
const ownSecret = z
  .string()
  .regex(new RegExp(secretForm), 'must be whsec_ and the base64 of 24 to 64 bytes')
  .optional()
  .meta({ description: 'Key of the signatures: `whsec_` and the base64 of 24 to 64 bytes. A random one by default.' })

const CreateWebhook = z
  .strictObject({
    url,
    description: description.default(''),
    eventTypes: wantedTypes,
    enabled: enabled.default(true),
    secret: ownSecret,
  })
  .meta({
    id: 'CreateWebhook',
    description: 'A new webhook endpoint.',
    examples: [{ url: 'https://example.com/hooks/groundwork', eventTypes: ['source.completed', 'source.failed'] }],
  })
export type CreateWebhook = z.output<typeof CreateWebhook>

const UpdateWebhook = z
  .strictObject({ url, description, eventTypes: wantedTypes, enabled })
  .partial()
  .meta({
    id: 'UpdateWebhook',
    description: 'Changes to a webhook endpoint. Omitted fields keep their values.',
    examples: [{ enabled: true }],
  })
export type UpdateWebhook = z.output<typeof UpdateWebhook>

const RotateWebhookSecret = z
  .strictObject({
    secret: ownSecret,
    overlapSeconds: wholeNumber(0, maxSecretOverlapSeconds).default(86_400).meta({
      description:
        'Time in seconds for which requests are also signed with the former secret, at most 7 days. Another rotation ends it at once.',
    }),
  })
  .meta({ id: 'RotateWebhookSecret', description: 'Options of the rotation.', examples: [{ overlapSeconds: 86_400 }] })
export type RotateWebhookSecret = z.output<typeof RotateWebhookSecret>

const moment = boundInput.transform((value) => new Date(value))
const RedeliverEvents = z
  .strictObject({
    since: moment.meta({ description: 'Only events at or after this time.', examples: ['2026-05-25T20:14:00.000Z'] }),
    until: moment
      .optional()
      .meta({ description: 'Only events before this time; the present by default.', examples: ['2026-05-26T20:14:00.000Z'] }),
    only: z.enum(['failed', 'missing', 'all']).default('missing').meta({
      description:
        '`failed`: events with a failed or cancelled delivery; `missing`: events of the types of the endpoint that never reached it, also from before its creation and while it was disabled; `all`: all events of its types.',
    }),
  })
  .meta({
    id: 'RedeliverEvents',
    description: 'The events to send again.',
    examples: [{ since: '2026-05-25T20:14:00.000Z', only: 'missing' }],
  })
export type RedeliverEvents = z.output<typeof RedeliverEvents>

const ListWebhooks = z.strictObject(pageQuery)
export type ListWebhooks = z.output<typeof ListWebhooks>

const params = z.object({ webhookId: idInput('whk') })
const wholeOrganization =
  'Tokens limited to certain knowledge bases get 403, because an endpoint receives the events of the whole organization.'

export const webhooks = {
  create: route({
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Create a webhook endpoint',
    description: `The secret is only in this response. The token also needs the scope \`events:read\`. An organization has at most 50 endpoints; 409 beyond that. ${wholeOrganization}`,
    scope: 'webhooks:write',
    body: CreateWebhook,
    status: 201,
    reply: WebhookEndpointWithSecret,
    errors: ['conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'List webhook endpoints, newest first',
    description: wholeOrganization,
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
      'Disabling an endpoint cancels its pending deliveries. After enabling it again, missed events can be redelivered. The token also needs the scope `events:read`.',
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
    description: 'Its deliveries and their log are deleted too.',
    scope: 'webhooks:write',
    params,
    status: 204,
  }),
  rotateSecret: route({
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/rotate-secret',
    summary: 'Rotate the secret of a webhook endpoint',
    answer: 'The endpoint with its new secret.',
    description: 'The new secret is only in this response. Until the overlap ends, every request has two signatures, one by each secret.',
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
      'Sends an event of the type `webhook_endpoint.test`, with the endpoint as `data`, to this endpoint only. It is sent once and is not in the event log. 409 for a disabled endpoint.',
    scope: 'webhooks:write',
    params,
    status: 202,
    reply: WebhookDelivery,
    errors: ['conflict'],
  }),
  redeliver: route({
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/redeliver',
    summary: 'Redeliver events',
    answer: 'Accepted. The events are sent in the background.',
    description: 'Sends events of a time range again in the background, oldest first. 409 for a disabled endpoint.',
    scope: 'webhooks:write',
    params,
    body: RedeliverEvents,
    status: 202,
    reply: z
      .object({ count: z.number().int().describe('Number of events to be sent.') })
      .meta({ id: 'RedeliveredEvents', description: 'The result of a redelivery request.' }),
    errors: ['conflict'],
  }),
}
