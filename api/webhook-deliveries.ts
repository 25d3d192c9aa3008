import { z } from 'zod'
import { route } from './route.ts'
import { idInput, idOutput, pageOf, pageQuery, queryTime, text, Timestamp } from './schemas.ts'

const deliveryStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const

/** One event on its way to one endpoint. */
export const WebhookDelivery = z
  .object({
    id: idOutput('dlv'),
    webhookId: idOutput('whk'),
    eventId: idOutput('evt').meta({ description: 'The webhook-id of its requests, the same in every attempt' }),
    type: z.string().meta({ description: 'The type of the event', examples: ['contact.created'] }),
    status: z.enum(deliveryStatuses).meta({
      description: 'pending: to be tried, again perhaps; failed: given up after the last attempt; cancelled: the endpoint was disabled',
    }),
    attempts: z.number().int(),
    nextAttemptAt: Timestamp.nullable().meta({ description: 'null while an attempt is under way and when none is to come' }),
    lastAttemptAt: Timestamp.nullable(),
    responseStatus: z.number().int().nullable().meta({ description: 'HTTP status that the last attempt was answered with' }),
    error: z.string().nullable().meta({ description: 'Why the last attempt had no answer' }),
    succeededAt: Timestamp.nullable().meta({ description: 'When it first reached the endpoint' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.input<typeof WebhookDelivery>

const headers = z.record(z.string(), z.string())

const WebhookAttempt = z
  .object({
    createdAt: Timestamp,
    durationMs: z.number().int(),
    request: z.object({ url: z.string(), headers: headers.meta({ description: 'Without the signature' }) }),
    response: z
      .object({
        status: z.number().int(),
        headers: headers.meta({ description: 'Without cookies, and cut where there are many' }),
        body: z.string().meta({ description: 'Its first 8 KiB' }),
      })
      .nullable(),
    error: z.string().nullable().meta({ description: 'Why there was no response' }),
  })
  .meta({ id: 'WebhookAttempt' })

const WebhookDeliveryWithAttempts = WebhookDelivery.extend({
  body: z
    .string()
    .meta({ description: 'The event as JSON, byte for byte as it is sent; without the content of a record that was deleted since' }),
  attemptLog: z.array(WebhookAttempt).meta({ description: 'Newest first, the last 100' }),
}).meta({ id: 'WebhookDeliveryWithAttempts' })
export type WebhookDeliveryWithAttempts = z.input<typeof WebhookDeliveryWithAttempts>

const ListWebhookDeliveries = z.strictObject({
  ...pageQuery,
  status: z.enum(deliveryStatuses).optional(),
  type: text(1, 100).optional().meta({ description: 'The type of the event' }),
  createdAfter: queryTime.optional().meta({ description: 'At or after this moment' }),
  createdBefore: queryTime.optional(),
})
export type ListWebhookDeliveries = z.output<typeof ListWebhookDeliveries>

const params = z.object({ webhookId: idInput('whk') })
const oneParams = params.extend({ deliveryId: idInput('dlv') })

export const webhookDeliveries = {
  list: route({
    method: 'GET',
    path: '/v1/webhooks/{webhookId}/deliveries',
    summary: 'List deliveries of a webhook endpoint',
    description: 'Newest first. A delivery is kept as long as its event, 90 days.',
    scope: 'webhooks:read',
    params,
    query: ListWebhookDeliveries,
    status: 200,
    reply: pageOf(WebhookDelivery),
  }),
  get: route({
    method: 'GET',
    path: '/v1/webhooks/{webhookId}/deliveries/{deliveryId}',
    summary: 'Get a delivery with its attempts',
    description: 'What was sent and what was answered. Since it shows the event, the token needs events:read as well.',
    scope: 'webhooks:read',
    params: oneParams,
    status: 200,
    reply: WebhookDeliveryWithAttempts,
  }),
  redeliver: route({
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
    summary: 'Send one event again',
    description: 'At once, and with the whole schedule of retries before it. 409 for an endpoint that is disabled.',
    scope: 'webhooks:write',
    params: oneParams,
    status: 202,
    reply: WebhookDelivery,
    errors: ['conflict'],
  }),
}
