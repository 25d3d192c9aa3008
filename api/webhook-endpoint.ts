import { z } from 'zod'
import { idOutput, Timestamp } from './schemas.ts'

/** Where an organization's events are sent. */
export const WebhookEndpoint = z
  .object({
    id: idOutput('whk'),
    url: z.string(),
    description: z.string(),
    eventTypes: z.array(z.string()).nullable().meta({ description: 'The types of events that it receives; null for all' }),
    enabled: z.boolean(),
    disabledAt: Timestamp.nullable(),
    disabledReason: z.enum(['manual', 'gone', 'failing']).nullable().meta({
      description: 'manual: by an update; gone: it answered 410; failing: it answered nothing but failures for five days',
    }),
    failingSince: Timestamp.nullable().meta({ description: 'The first of the failures since which no attempt has succeeded' }),
    previousSecretExpiresAt: Timestamp.nullable().meta({ description: 'Until then the secret of before the last rotation signs also' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'WebhookEndpoint' })
export type WebhookEndpoint = z.input<typeof WebhookEndpoint>
