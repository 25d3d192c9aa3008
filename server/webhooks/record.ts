import { wireId, type WebhookDelivery, type WebhookEndpoint } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { WebhookDeliveryTable, WebhookEndpointTable } from '../db/schema.ts'

const timestamp = (time: Date | null): string | null => time?.toISOString() ?? null

/** Converts a row to the public record of an endpoint. */
export function toWebhookEndpoint(row: Selectable<WebhookEndpointTable>): WebhookEndpoint {
  return {
    id: wireId('whk', row.id),
    url: row.url,
    description: row.description,
    eventTypes: row.event_types,
    enabled: row.enabled,
    disabledAt: timestamp(row.disabled_at),
    disabledReason: row.disabled_reason,
    failingSince: timestamp(row.failing_since),
    previousSecretExpiresAt: timestamp(row.previous_secret_expires_at),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Converts a row to the public record of a delivery. */
export function toWebhookDelivery(row: Selectable<WebhookDeliveryTable>): WebhookDelivery {
  return {
    id: wireId('dlv', row.id),
    webhookId: wireId('whk', row.endpoint_id),
    eventId: row.event_id === null ? testEvent(row.test_event).id : wireId('evt', row.event_id),
    type: row.event_type,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.in_flight ? null : timestamp(row.next_attempt_at),
    lastAttemptAt: timestamp(row.last_attempt_at),
    responseStatus: row.response_status,
    error: row.error,
    succeededAt: timestamp(row.succeeded_at),
    createdAt: row.created_at.toISOString(),
  }
}

/** The test event; only `sendTestEvent` creates it. */
export interface TestEvent {
  id: string
  type: string
  createdAt: string
  data: WebhookEndpoint
}

export const testEvent = (stored: unknown): TestEvent => stored as TestEvent
