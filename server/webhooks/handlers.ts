import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import type { WebhookServices } from './context.ts'
import { getWebhookDelivery, listWebhookDeliveries, redeliver } from './deliveries.ts'
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, rotateWebhookSecret, updateWebhook } from './endpoints.ts'
import { redeliverRange } from './redeliver-range.ts'
import { sendTestEvent } from './send-test.ts'

export const webhookHandlers: Handlers<GroundworkApi, WebhookServices>['webhooks'] = {
  create: (ctx, { body }) => createWebhook(ctx, body),
  list: (ctx, { query }) => listWebhooks(ctx, query),
  get: (ctx, { params }) => getWebhook(ctx, params.webhookId),
  update: (ctx, { params, body }) => updateWebhook(ctx, params.webhookId, body),
  delete: (ctx, { params }) => deleteWebhook(ctx, params.webhookId),
  rotateSecret: (ctx, { params, body }) => rotateWebhookSecret(ctx, params.webhookId, body),
  test: (ctx, { params }) => sendTestEvent(ctx, params.webhookId),
  redeliver: (ctx, { params, body }) => redeliverRange(ctx, params.webhookId, body),
}

export const webhookDeliveryHandlers: Handlers<GroundworkApi, WebhookServices>['webhookDeliveries'] = {
  list: (ctx, { params, query }) => listWebhookDeliveries(ctx, params.webhookId, query),
  get: (ctx, { params }) => getWebhookDelivery(ctx, params.webhookId, params.deliveryId),
  redeliver: (ctx, { params }) => redeliver(ctx, params.webhookId, params.deliveryId),
}
