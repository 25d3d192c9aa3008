import { wireId, type WebhookDelivery } from '@groundwork/api'
import { audit } from '../audit/audit.ts'
import { withTransaction, requireWholeOrganization, type Context } from '../context.ts'
import { newId } from '../lib/ids.ts'
import { requireEnabled } from './deliveries.ts'
import { lockWebhook } from './endpoints.ts'
import { toWebhookDelivery, toWebhookEndpoint, type TestEvent } from './record.ts'
import { notifyDispatchers } from './notify.ts'

const dayMs = 86_400_000

/** @throws AppError `not_found`, `conflict` when the endpoint is disabled */
export function sendTestEvent(ctx: Context, webhookId: string): Promise<WebhookDelivery> {
  requireWholeOrganization(ctx)
  return withTransaction(ctx, async (trx) => {
    const endpoint = await lockWebhook(trx, webhookId)
    requireEnabled(endpoint)
    const now = ctx.now()
    await trx
      .deleteFrom('webhook_delivery')
      .where('endpoint_id', '=', webhookId)
      .where('event_id', 'is', null)
      // Test events are kept as long as other events.
      .where('created_at', '<', new Date(now.getTime() - ctx.retentionDays.events * dayMs))
      .execute()
    const event: TestEvent = {
      id: wireId('evt', newId(now.getTime())),
      type: 'webhook_endpoint.test',
      createdAt: now.toISOString(),
      data: toWebhookEndpoint(endpoint),
    }
    const row = await trx
      .insertInto('webhook_delivery')
      .values({
        organization_id: ctx.organizationId,
        endpoint_id: webhookId,
        id: newId(now.getTime()),
        test_event: JSON.stringify(event),
        event_type: event.type,
        next_attempt_at: now,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'webhook_delivery.tested', target: wireId('dlv', row.id) })
    await notifyDispatchers(ctx, trx)
    return toWebhookDelivery(row)
  })
}
