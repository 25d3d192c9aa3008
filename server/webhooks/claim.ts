import { Event, wireId } from '@groundwork/api'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { defer } from '../db/deferred.ts'
import type { Transaction } from '../db/schema.ts'
import { recordExists, toEvent } from '../events/record.ts'
import { testEvent } from './record.ts'

/**
 * Lease of a claimed delivery: an attempt's 15 seconds and time to record its outcome. After a kill, the delivery is due again
 * when it expires.
 */
const leaseMs = 30_000

/** Time during which the first delivery of a deletion event contains the deleted record. The retries end before. */
const deletionNoticeMs = 5 * 86_400_000

/** A delivery that belongs to this worker until the lease ends. */
export interface Claimed {
  readonly id: string
  readonly eventId: string
  /** The event as in GET /v1/events/{eventId}; the first delivery of a deletion also contains the record before its deletion. */
  readonly body: string
  readonly isTest: boolean
  readonly failures: number
  readonly leaseUntil: Date
}

interface Row {
  id: string
  failures: number
  test_event: unknown
  event_id: string | null
  event_type: string
  event_data: unknown
  event_schema_version: number
  event_created_at: Date
  event_record_exists: boolean
}

/**
 * Claims due deliveries of the endpoint, the longest due first; the statement is deferred.
 * @returns a function that returns the deliveries once the transaction has committed
 */
export async function claimDue(ctx: Context, trx: Transaction, endpointId: string, limit: number): Promise<() => Claimed[]> {
  const now = ctx.now()
  const leaseUntil = new Date(now.getTime() + leaseMs)
  let rows: readonly Row[] = []
  const statement = sql<Row>`
    with due as (
      select id, next_attempt_at as due_at from webhook_delivery
      where endpoint_id = ${endpointId} and status = 'pending' and next_attempt_at <= ${now}
      order by next_attempt_at limit ${limit}
      for update skip locked
    ), claimed as (
      update webhook_delivery delivery set next_attempt_at = ${leaseUntil}, in_flight = true
      from due
      where delivery.endpoint_id = ${endpointId} and delivery.id = due.id
      returning delivery.organization_id, delivery.id, delivery.event_id, delivery.test_event, delivery.failures, due.due_at,
        delivery.created_at, delivery.succeeded_at
    )
    select claimed.id, claimed.failures, claimed.test_event, claimed.event_id,
      event.type as event_type, event.data as event_data, event.schema_version as event_schema_version, event.created_at as event_created_at,
      (${recordExists} or ${isDeletionNotice(now)}) as event_record_exists
    from claimed left join event on event.organization_id = claimed.organization_id and event.id = claimed.event_id
    order by claimed.due_at, event.position`
  await defer(trx, statement.compile(trx), { onRows: (claimed) => (rows = claimed as readonly Row[]), isReused: true })
  return () => rows.map((row) => ({ id: row.id, failures: row.failures, leaseUntil, isTest: row.event_id === null, ...toBody(row) }))
}

/**
 * Selects whether the delivery is a deletion notice: the first successful delivery of a deletion to an endpoint that existed
 * when it happened.
 */
const isDeletionNotice = (now: Date) => sql<boolean>`(event.type like '%.deleted' and claimed.created_at = event.created_at
  and claimed.succeeded_at is null and event.created_at > ${new Date(now.getTime() - deletionNoticeMs)})`

/** Returns the body of a delivery and its event id. */
export function toBody(row: Omit<Row, 'id' | 'failures'>): { eventId: string; body: string } {
  if (row.event_id === null) return { eventId: testEvent(row.test_event).id, body: JSON.stringify(testEvent(row.test_event)) }
  const { event_data: data, event_created_at, event_record_exists } = row
  const event = toEvent({
    id: row.event_id,
    type: row.event_type,
    data,
    schema_version: row.event_schema_version,
    created_at: event_created_at,
    record_exists: event_record_exists,
  })
  // An event that no longer matches the schema is sent as it was stored.
  const { data: current = event } = Event.safeParse(event)
  return { eventId: wireId('evt', row.event_id), body: JSON.stringify(current) }
}

/** Releases deliveries that will not be tried, as if they had not been claimed; the statements are deferred. */
export async function unclaim(ctx: Context, trx: Transaction, endpointId: string, claimed: readonly Claimed[]): Promise<void> {
  for (const { id, leaseUntil } of claimed) {
    const update = trx
      .updateTable('webhook_delivery')
      .set({ next_attempt_at: ctx.now(), in_flight: false })
      .where('endpoint_id', '=', endpointId)
      .where('id', '=', id)
      .where('in_flight', '=', true)
      .where('next_attempt_at', '=', leaseUntil)
    await defer(trx, update.compile())
  }
}
