import { z } from 'zod'
import { createdAt, idOutput, Timestamp, updatedAt } from './schemas.ts'

/** A URL that receives the events of an organization. */
export const WebhookEndpoint = z
  .object({
    id: idOutput('whk'),
    url: z.string().meta({ description: 'URL that receives the events.', examples: ['https://example.com/hooks/groundwork'] }),
    description: z.string().describe('Note on the purpose of the endpoint; empty without one.'),
    eventTypes: z.array(z.string()).nullable().describe('Types of events that are sent; null for all, including those of later versions.'),
    enabled: z.boolean().describe('Whether events are sent.'),
    disabledAt: Timestamp.nullable().describe('Time at which the endpoint was disabled; null while it is enabled.'),
    disabledReason: z
      .enum(['manual', 'gone', 'failing'])
      .nullable()
      .describe(
        '`manual`: by a request; `gone`: it answered 410; `failing`: all deliveries failed for five days. Null while it is enabled.',
      ),
    failingSince: Timestamp.nullable().describe('Time of the first failure since the last success; null after a success.'),
    previousSecretExpiresAt: Timestamp.nullable().describe(
      'Time until which requests are also signed with the former secret; null without one.',
    ),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'WebhookEndpoint', description: 'A URL that receives events of the organization.' })
export type WebhookEndpoint = z.input<typeof WebhookEndpoint>
