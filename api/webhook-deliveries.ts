import { z } from 'zod'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, pageOf, pageQuery, queryTime, text, Timestamp } from './schemas.ts'

const deliveryStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const

/** The delivery of one event to one endpoint. */
export const WebhookDelivery = z
  .object({
    id: idOutput('dlv'),
    webhookId: idOutput('whk'),
    eventId: idOutput('evt').describe('Id of the event: the header `webhook-id`, the same in every attempt.'),
    type: z.string().meta({ description: 'Type of the event.', examples: ['contact.created'] }),
    status: z
      .enum(deliveryStatuses)
      .describe(
        '`pending`: waiting for an attempt; `succeeded`: answered with 2xx; `failed`: given up after the last attempt; `cancelled`: the endpoint was disabled.',
      ),
    attempts: z.number().int().describe('Number of attempts so far.'),
    nextAttemptAt: Timestamp.nullable().describe('Time of the next attempt; null during an attempt and after the last one.'),
    lastAttemptAt: Timestamp.nullable().describe('Time of the last attempt; null before the first one.'),
    responseStatus: z.number().int().nullable().describe('HTTP status of the last response; null without a response.'),
    error: z.string().nullable().describe('Reason why the last attempt got no response; null otherwise.'),
    succeededAt: Timestamp.nullable().describe('Time of the first successful attempt; null before.'),
    createdAt,
  })
  .meta({ id: 'WebhookDelivery', description: 'The delivery of an event to a webhook endpoint.' })
export type WebhookDelivery = z.input<typeof WebhookDelivery>

const headers = z.record(z.string(), z.string())

const WebhookAttempt = z
  .object({
    createdAt: createdAt.describe('Time of the attempt: UTC with milliseconds (ISO 8601).'),
    durationMs: z.number().int().describe('Duration of the attempt in milliseconds.'),
    request: z
      .object({
        url: z.string().describe('URL of the request.'),
        headers: headers.describe('Headers of the request, without the signature.'),
      })
      .describe('Request of the attempt. Its body is the `body` of the delivery.'),
    response: z
      .object({
        status: z.number().int().describe('HTTP status of the response.'),
        headers: headers.describe('Headers of the response, without cookies. Long lists are truncated.'),
        body: z.string().describe('First 8 KiB of the body.'),
      })
      .nullable()
      .describe('Response of the endpoint; null without one.'),
    error: z.string().nullable().describe('Reason why there was no response; null otherwise.'),
  })
  .meta({ id: 'WebhookAttempt', description: 'An attempt to deliver an event.' })

const WebhookDeliveryWithAttempts = WebhookDelivery.extend({
  body: z.string().describe('The event as JSON, exactly as sent. After the deletion of its record, without the content of that record.'),
  attemptLog: z.array(WebhookAttempt).describe('Attempts, newest first, at most the last 100.'),
}).meta({ id: 'WebhookDeliveryWithAttempts', description: 'The delivery of an event to a webhook endpoint, with its attempts.' })
export type WebhookDeliveryWithAttempts = z.input<typeof WebhookDeliveryWithAttempts>

const ListWebhookDeliveries = z.strictObject({
  ...pageQuery,
  status: z.enum(deliveryStatuses).optional().describe('Only deliveries with this status.'),
  type: text(1, 100)
    .optional()
    .meta({ description: 'Only deliveries of events of this type.', examples: ['contact.created'] }),
  createdAfter: queryTime.optional().meta({ description: 'Only deliveries created at or after this time.' }),
  createdBefore: queryTime.optional().meta({ description: 'Only deliveries created before this time.' }),
})
export type ListWebhookDeliveries = z.output<typeof ListWebhookDeliveries>

const params = z.object({ webhookId: idInput('whk') })
const oneParams = params.extend({ deliveryId: idInput('dlv') })

export const webhookDeliveries = {
  list: route({
    method: 'GET',
    path: '/v1/webhooks/{webhookId}/deliveries',
    summary: 'List the deliveries of a webhook endpoint, newest first',
    description: 'Deliveries are kept as long as their events, 90 days by default.',
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
    description: 'Returns the request and the response of each attempt. The token also needs the scope `events:read`.',
    scope: 'webhooks:read',
    params: oneParams,
    status: 200,
    reply: WebhookDeliveryWithAttempts,
  }),
  redeliver: route({
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
    summary: 'Redeliver an event',
    description: 'Sends the event again at once, with a new schedule of retries. 409 for a disabled endpoint.',
    scope: 'webhooks:write',
    params: oneParams,
    status: 202,
    reply: WebhookDelivery,
    errors: ['conflict'],
  }),
}
