import { wireId, type ListWebhookDeliveries, type WebhookDelivery, type WebhookDeliveryWithAttempts } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { audit } from '../audit/audit.ts'
import { withTransaction, requireWholeOrganization, type Context } from '../context.ts'
import type { Transaction, WebhookAttemptTable } from '../db/schema.ts'
import { recordExists } from '../events/record.ts'
import { decodeCursor, pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { firstIdAt } from '../lib/ids.ts'
import { toBody } from './claim.ts'
import { lockWebhook, noSuchWebhook } from './endpoints.ts'
import { requireEventsRead } from './permit.ts'
import { toWebhookDelivery } from './record.ts'
import { notifyDispatchers } from './notify.ts'

const shownAttempts = 100

/**
 * Returns deliveries, newest first.
 * @throws AppError `not_found` for the endpoint; `bad_request`, field `cursor`
 */
export function listWebhookDeliveries(
  ctx: Context,
  webhookId: string,
  input: ListWebhookDeliveries,
): Promise<{ data: WebhookDelivery[]; nextCursor: string | null }> {
  requireWholeOrganization(ctx)
  const after = input.cursor === undefined ? null : decodeCursor(input.cursor)
  return withTransaction(ctx, async (trx) => {
    await requireWebhook(trx, webhookId)
    // Ids ascend by creation, and the primary key is in that order.
    let query = trx
      .selectFrom('webhook_delivery')
      .selectAll()
      .where('endpoint_id', '=', webhookId)
      .orderBy('id', 'desc')
      .limit(input.limit + 1)
    if (after !== null) query = query.where('id', '<', after.id)
    if (input.status !== undefined) query = query.where('status', '=', input.status)
    if (input.type !== undefined) query = query.where('event_type', '=', input.type)
    if (input.createdAfter !== undefined) query = query.where('id', '>=', firstIdAt(Date.parse(input.createdAfter)))
    if (input.createdBefore !== undefined) query = query.where('id', '<', firstIdAt(Date.parse(input.createdBefore)))
    const { rows, nextCursor } = pageOf(await query.execute(), input.limit)
    return { data: rows.map(toWebhookDelivery), nextCursor }
  })
}

async function requireWebhook(trx: Transaction, webhookId: string): Promise<void> {
  const row = await trx.selectFrom('webhook_endpoint').select('id').where('id', '=', webhookId).executeTakeFirst()
  if (row === undefined) throw noSuchWebhook()
}

/** @throws AppError `not_found`; `forbidden` for an actor that may not read the event */
export function getWebhookDelivery(ctx: Context, webhookId: string, deliveryId: string): Promise<WebhookDeliveryWithAttempts> {
  requireEventsRead(ctx)
  return withTransaction(ctx, async (trx) => {
    await requireWebhook(trx, webhookId)
    const row = await trx
      .selectFrom('webhook_delivery as delivery')
      .leftJoin('event', (join) =>
        join.onRef('event.organization_id', '=', 'delivery.organization_id').onRef('event.id', '=', 'delivery.event_id'),
      )
      .selectAll('delivery')
      .select(['event.data as event_data', sql<Date>`event.created_at`.as('event_created_at')])
      .select(sql<number>`event.schema_version`.as('event_schema_version'))
      .select(recordExists.as('event_record_exists'))
      .where('delivery.endpoint_id', '=', webhookId)
      .where('delivery.id', '=', deliveryId)
      .executeTakeFirst()
    if (row === undefined) throw noSuchDelivery()
    const attempts = await trx
      .selectFrom('webhook_attempt')
      .selectAll()
      .where('endpoint_id', '=', webhookId)
      .where('delivery_id', '=', deliveryId)
      .orderBy('id', 'desc')
      .limit(shownAttempts)
      .execute()
    const attemptLog = attempts.map((attempt) => toAttempt(attempt, row.event_record_exists))
    return { ...toWebhookDelivery(row), body: toBody(row).body, attemptLog }
  })
}

/** Hides the response together with the record, since a receiver may repeat the request in its response. */
function toAttempt(row: Selectable<WebhookAttemptTable>, hasRecord: boolean): WebhookDeliveryWithAttempts['attemptLog'][number] {
  const { response_status: status } = row
  const [headers, body] = hasRecord ? [row.response_headers, row.response_body] : [null, null]
  return {
    createdAt: row.created_at.toISOString(),
    durationMs: row.duration_ms,
    request: { url: row.url, headers: row.request_headers },
    response: status === null ? null : { status, headers: headers ?? {}, body: body ?? '' },
    error: row.error,
  }
}

/** @throws AppError `not_found`, `conflict` when the endpoint is disabled */
export function redeliver(ctx: Context, webhookId: string, deliveryId: string): Promise<WebhookDelivery> {
  requireWholeOrganization(ctx)
  return withTransaction(ctx, async (trx) => {
    requireEnabled(await lockWebhook(trx, webhookId))
    const row = await trx
      .updateTable('webhook_delivery')
      .set({ status: 'pending', next_attempt_at: ctx.now(), in_flight: false, failures: 0 })
      .where('endpoint_id', '=', webhookId)
      .where('id', '=', deliveryId)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw noSuchDelivery()
    await audit(ctx, trx, { action: 'webhook_delivery.redelivered', target: wireId('dlv', deliveryId) })
    await notifyDispatchers(ctx, trx)
    return toWebhookDelivery(row)
  })
}

/** @throws AppError `conflict` */
export function requireEnabled({ enabled }: { enabled: boolean }): void {
  if (!enabled) throw new AppError('conflict', 'The webhook endpoint is disabled. Enable it first.')
}

const noSuchDelivery = (): AppError => new AppError('not_found', 'There is no such delivery.', { field: 'deliveryId' })
