import {
  wireId,
  type CreateWebhook,
  type ListWebhooks,
  type RotateWebhookSecret,
  type UpdateWebhook,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret,
} from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { audit } from '../audit/audit.ts'
import { withTransaction, requireWholeOrganization, select, type Context } from '../context.ts'
import { changedColumns, isEmpty } from '../db/changed-columns.ts'
import { requireBelow } from '../db/counted-limit.ts'
import type { Transaction, WebhookEndpointTable } from '../db/schema.ts'
import { newestFirst } from '../db/newest-first.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { admittedUrl } from '../outbound/admitted-url.ts'
import { cancelPending } from './cancel.ts'
import type { WebhookContext } from './context.ts'
import { requireEventsRead } from './permit.ts'
import { toWebhookEndpoint } from './record.ts'
import { newSecret, sealSecret } from './secret.ts'

const maxEndpoints = 50

/**
 * @throws AppError `validation_error` for a URL that the outbound guard refuses, `forbidden` if the actor may not read all
 * events, `conflict` if there are too many endpoints
 */
export async function createWebhook(ctx: WebhookContext, input: CreateWebhook): Promise<WebhookEndpointWithSecret> {
  requireEventsRead(ctx)
  const url = admittedUrl(ctx.outbound, input.url)
  const now = ctx.now()
  const id = newId(now.getTime())
  const secret = input.secret ?? newSecret()
  return withTransaction(ctx, async (trx) => {
    await requireBelow(trx, {
      table: 'webhook_endpoint',
      max: maxEndpoints,
      message: `An organization can have at most ${maxEndpoints} webhook endpoints.`,
    })
    await waitForEmittedEvents(trx)
    const row = await trx
      .insertInto('webhook_endpoint')
      .values({
        organization_id: ctx.organizationId,
        id,
        url,
        description: input.description,
        event_types: input.eventTypes ?? null,
        secret: sealSecret(secret, owner(ctx, id)),
        created_at: now,
        updated_at: now,
        ...(input.enabled ? {} : { enabled: false, disabled_at: now, disabled_reason: 'manual' as const }),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'webhook_endpoint.created', target: wireId('whk', id) })
    return { ...toWebhookEndpoint(row), secret }
  })
}

/** Returns endpoints, newest first. */
export async function listWebhooks(ctx: Context, input: ListWebhooks): Promise<{ data: WebhookEndpoint[]; nextCursor: string | null }> {
  requireWholeOrganization(ctx)
  const found = await select(ctx, (db) => newestFirst(db.selectFrom('webhook_endpoint').selectAll(), 'webhook_endpoint', input))
  const { rows, nextCursor } = pageOf(found, input.limit)
  return { data: rows.map(toWebhookEndpoint), nextCursor }
}

/** @throws AppError `not_found` */
export async function getWebhook(ctx: Context, webhookId: string): Promise<WebhookEndpoint> {
  requireWholeOrganization(ctx)
  const [row] = await select(ctx, (db) => db.selectFrom('webhook_endpoint').selectAll().where('id', '=', webhookId))
  if (row === undefined) throw noSuchWebhook()
  return toWebhookEndpoint(row)
}

/** @throws AppError `not_found`, and as `createWebhook` */
export async function updateWebhook(ctx: WebhookContext, webhookId: string, input: UpdateWebhook): Promise<WebhookEndpoint> {
  requireEventsRead(ctx)
  return withTransaction(ctx, async (trx) => {
    const before = await lockWebhook(trx, webhookId)
    const url = input.url === undefined || input.url === before.url ? before.url : admittedUrl(ctx.outbound, input.url)
    const { description = before.description, eventTypes = before.event_types, enabled = before.enabled } = input
    const now = ctx.now()
    const changed = changedColumns(before, {
      url,
      description,
      event_types: eventTypes,
      ...(enabled !== before.enabled && enabledChange(enabled, now)),
    })
    if (isEmpty(changed)) return toWebhookEndpoint(before)
    if (before.enabled && !enabled) await cancelPending(trx, webhookId)
    await waitForEmittedEvents(trx)
    const row = await trx
      .updateTable('webhook_endpoint')
      .set({ ...changed, updated_at: now })
      .where('id', '=', webhookId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'webhook_endpoint.updated', target: wireId('whk', webhookId) })
    return toWebhookEndpoint(row)
  })
}

/** Waits for transactions that are emitting events: each event either precedes the change or is delivered according to it. */
const waitForEmittedEvents = (trx: Transaction) => sql`select events_placed()`.execute(trx)

/** Resets `failing_since`, so an enabled endpoint has five days again before it is disabled. */
const enabledChange = (enabled: boolean, now: Date) =>
  enabled
    ? { enabled, disabled_at: null, disabled_reason: null, failing_since: null }
    : { enabled, disabled_at: now, disabled_reason: 'manual' as const }

/** @throws AppError `not_found` */
export async function deleteWebhook(ctx: Context, webhookId: string): Promise<void> {
  requireWholeOrganization(ctx)
  await withTransaction(ctx, async (trx) => {
    const { numDeletedRows } = await trx.deleteFrom('webhook_endpoint').where('id', '=', webhookId).executeTakeFirst()
    if (numDeletedRows === 0n) throw noSuchWebhook()
    await trx.deleteFrom('webhook_delivery').where('endpoint_id', '=', webhookId).execute()
    await audit(ctx, trx, { action: 'webhook_endpoint.deleted', target: wireId('whk', webhookId) })
  })
}

/** @throws AppError `not_found` */
export async function rotateWebhookSecret(
  ctx: WebhookContext,
  webhookId: string,
  { secret = newSecret(), overlapSeconds }: RotateWebhookSecret,
): Promise<WebhookEndpointWithSecret> {
  requireWholeOrganization(ctx)
  return withTransaction(ctx, async (trx) => {
    const before = await lockWebhook(trx, webhookId)
    const now = ctx.now()
    const previous =
      overlapSeconds === 0
        ? { previous_secret: null, previous_secret_expires_at: null }
        : { previous_secret: before.secret, previous_secret_expires_at: new Date(now.getTime() + overlapSeconds * 1000) }
    const row = await trx
      .updateTable('webhook_endpoint')
      .set({ secret: sealSecret(secret, owner(ctx, webhookId)), ...previous, updated_at: now })
      .where('id', '=', webhookId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'webhook_endpoint.secret_rotated', target: wireId('whk', webhookId) })
    return { ...toWebhookEndpoint(row), secret }
  })
}

/** Locks and returns the endpoint's row. Lock it before its deliveries. */
export async function lockWebhook(trx: Transaction, webhookId: string): Promise<Selectable<WebhookEndpointTable>> {
  const row = await trx.selectFrom('webhook_endpoint').selectAll().where('id', '=', webhookId).forNoKeyUpdate().executeTakeFirst()
  if (row === undefined) throw noSuchWebhook()
  return row
}

export const noSuchWebhook = (): AppError => new AppError('not_found', 'There is no such webhook endpoint.', { field: 'webhookId' })

export const owner = ({ secretKey, organizationId }: WebhookContext, endpointId: string) => ({ secretKey, organizationId, endpointId })
