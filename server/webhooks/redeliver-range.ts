import { wireId, type RedeliverEvents } from '@groundwork/api'
import { sql } from 'kysely'
import { audit } from '../audit/audit.ts'
import { withTransaction, requireWholeOrganization, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { firstIdAt } from '../lib/ids.ts'
import { enqueueWork, organizationWork } from '../work.ts'
import { requireEnabled } from './deliveries.ts'
import { lockWebhook } from './endpoints.ts'
import { notifyDispatchers } from './notify.ts'

/** Events that one transaction queues. */
const batchSize = 1000
/** Returns how old events can be. Older ones may be deleted while they are requested. */
const keptMs = ({ retentionDays }: Context): number => retentionDays.events * 86_400_000 - 3_600_000

interface Range {
  webhookId: string
  only: RedeliverEvents['only']
  /** Event ids: the first of the range, and the first after it. */
  from: string
  to: string
}

/**
 * Queues the events again: the first batch with the request, the rest by successive jobs.
 * @returns the number of events
 * @throws AppError `not_found`, `conflict` if the endpoint is disabled, `validation_error` for a range that ends before it
 * begins
 */
export function redeliverRange(ctx: Context, webhookId: string, input: RedeliverEvents): Promise<{ count: number }> {
  requireWholeOrganization(ctx)
  const { since, until = new Date(ctx.now().getTime() + 1), only } = input
  if (until <= since) throw new AppError('validation_error', 'until must be after since', { field: 'until' })
  const from = firstIdAt(Math.max(since.getTime(), ctx.now().getTime() - keptMs(ctx)))
  const range = { webhookId, only, from, to: firstIdAt(until.getTime()) }
  return withTransaction(ctx, async (trx) => {
    const endpoint = await lockWebhook(trx, webhookId)
    requireEnabled(endpoint)
    const { count } = await selectEvents(ctx, trx, range, endpoint.event_types)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    await redeliverBatch(ctx, trx, range, endpoint.event_types)
    await audit(ctx, trx, { action: 'webhook_endpoint.redelivered', target: wireId('whk', webhookId) })
    return { count }
  })
}

/** Continues after the previous batch. */
export const redeliverWork = organizationWork<Range>('redeliver-events', (ctx, range) =>
  withTransaction(ctx, async (trx) => {
    const endpoint = await trx
      .selectFrom('webhook_endpoint')
      .select(['enabled', 'event_types'])
      .where('id', '=', range.webhookId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (endpoint?.enabled) await redeliverBatch(ctx, trx, range, endpoint.event_types)
  }),
)

async function redeliverBatch(ctx: Context, trx: Transaction, range: Range, eventTypes: string[] | null): Promise<void> {
  const events = await selectEvents(ctx, trx, range, eventTypes)
    .select(['event.id', 'event.type'])
    .orderBy('event.id')
    .limit(batchSize + 1)
    .execute()
  const [batch, next] = [events.slice(0, batchSize), events[batchSize]]
  const now = ctx.now()
  // Repeats the condition of `selectEvents`, since an attempt may have changed the rows meanwhile.
  await sql`
    insert into webhook_delivery (organization_id, endpoint_id, id, event_id, event_type, next_attempt_at, created_at)
    select ${ctx.organizationId}, ${range.webhookId}, new_id(${now}), event.id, event.type, ${now}, ${now}
    from unnest(${batch.map(({ id }) => id)}::uuid[], ${batch.map(({ type }) => type)}::text[]) as event (id, type)
    on conflict (organization_id, event_id, endpoint_id) do update
    set status = 'pending', next_attempt_at = excluded.next_attempt_at, in_flight = false, failures = 0
    where ${matchesStatus(range.only, 'webhook_delivery', now)}`.execute(trx)
  await notifyDispatchers(ctx, trx)
  if (next !== undefined) await enqueueWork(ctx, trx, redeliverWork, { ...range, from: next.id })
}

/** Selects the events of the range that the endpoint subscribes to and the request includes. */
function selectEvents(ctx: Context, trx: Transaction, { webhookId, only, from, to }: Range, eventTypes: string[] | null) {
  const query = trx
    .selectFrom('event')
    .leftJoin('webhook_delivery as delivery', (join) =>
      join
        .onRef('delivery.organization_id', '=', 'event.organization_id')
        .onRef('delivery.event_id', '=', 'event.id')
        .on('delivery.endpoint_id', '=', webhookId),
    )
    .where('event.id', '>=', from)
    .where('event.id', '<', to)
    .where(sql<boolean>`(${only !== 'failed'} and delivery.id is null or ${matchesStatus(only, 'delivery', ctx.now())})`)
  return eventTypes === null ? query : query.where('event.type', 'in', eventTypes)
}

/** Excludes deliveries in progress, which would be sent twice. */
function matchesStatus(only: Range['only'], delivery: string, now: Date) {
  const of = (column: string) => sql.ref(`${delivery}.${column}`)
  const inFlight = sql<boolean>`(${of('in_flight')} and ${of('next_attempt_at')} > ${now})`
  if (only === 'failed') return sql<boolean>`${of('status')} in ('failed', 'cancelled')`
  if (only === 'missing') return sql<boolean>`${of('succeeded_at')} is null and not ${inFlight}`
  return sql<boolean>`not ${inFlight}`
}
