import { sql, type Selectable } from 'kysely'
import type { Context } from '../context.ts'
import { defer } from '../db/deferred.ts'
import type { Transaction, WebhookEndpointTable } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import type { Attempt } from './attempt.ts'
import type { Claimed } from './claim.ts'
import { nextAttempt, retryAfterOf } from './schedule.ts'

export interface Outcome {
  readonly delivery: Claimed
  readonly attempt: Attempt
}

export const succeeded = ({ attempt: { response } }: Outcome): boolean =>
  response !== null && response.status >= 200 && response.status < 300

export const isGone = ({ attempt: { response } }: Outcome): boolean => response?.status === 410

/** Returns the end of a pause that the receiver asked for; null without one. */
export const requestedPause = ({ attempt: { response, at } }: Outcome): Date | null =>
  response === null ? null : retryAfterOf(response.status, response.headers['retry-after'], at)

/** Returns the fields of a delivery that an outcome changes, and the fields of its log. */
function toRow(outcome: Outcome, now: Date) {
  const { delivery, attempt } = outcome
  const next =
    succeeded(outcome) || isGone(outcome) || delivery.isTest
      ? null
      : nextAttempt(delivery.failures + 1, { now, retryAfter: requestedPause(outcome) })
  return {
    id: delivery.id,
    lease_until: delivery.leaseUntil,
    status: succeeded(outcome) ? 'succeeded' : next === null ? 'failed' : 'pending',
    next_attempt_at: next,
    attempt_id: newId(attempt.at.getTime()),
    at: attempt.at,
    url: attempt.url,
    request_headers: attempt.requestHeaders,
    response_status: attempt.response?.status ?? null,
    response_headers: attempt.response?.headers ?? null,
    response_body: attempt.response?.body ?? null,
    error: attempt.error,
    duration_ms: attempt.durationMs,
  }
}

/**
 * Records attempts and updates their deliveries; the statement is deferred. A failure has no effect on a delivery that was claimed
 * by another worker, redelivered or cancelled meanwhile; a success overrides a failure or a cancellation.
 */
export async function recordOutcomes(
  ctx: Context,
  trx: Transaction,
  endpoint: Selectable<WebhookEndpointTable>,
  outcomes: readonly Outcome[],
): Promise<void> {
  const rows = JSON.stringify(outcomes.map((outcome) => toRow(outcome, ctx.now())))
  const statement = sql`
    with outcome as (
      select * from jsonb_to_recordset(${rows}::jsonb) as o (
        id uuid, lease_until timestamptz, status text, next_attempt_at timestamptz, attempt_id uuid, at timestamptz, url text,
        request_headers jsonb, response_status integer, response_headers jsonb, response_body text, error text, duration_ms integer
      )
    ), decided as (
      select delivery.id, outcome.attempt_id,
        (delivery.in_flight and delivery.next_attempt_at = outcome.lease_until)
          or (outcome.status = 'succeeded' and delivery.status in ('failed', 'cancelled')) as applies
      from outcome join webhook_delivery delivery on delivery.endpoint_id = ${endpoint.id} and delivery.id = outcome.id
      for no key update of delivery
    ), updated as (
      update webhook_delivery delivery set
        attempts = delivery.attempts + 1,
        last_attempt_at = outcome.at,
        response_status = outcome.response_status,
        error = outcome.error,
        succeeded_at = case when outcome.status = 'succeeded' then coalesce(delivery.succeeded_at, outcome.at) else delivery.succeeded_at end,
        status = case when applies then outcome.status else delivery.status end,
        next_attempt_at = case when applies then outcome.next_attempt_at else delivery.next_attempt_at end,
        in_flight = delivery.in_flight and not applies,
        failures = delivery.failures + case when applies and outcome.status <> 'succeeded' then 1 else 0 end
      from decided join outcome using (attempt_id)
      where delivery.endpoint_id = ${endpoint.id} and delivery.id = decided.id
      returning outcome.attempt_id
    )
    insert into webhook_attempt (organization_id, endpoint_id, delivery_id, id, url, request_headers, response_status, response_headers,
      response_body, error, duration_ms, created_at)
    select ${ctx.organizationId}, ${endpoint.id}, outcome.id, attempt_id, url, request_headers, response_status, response_headers,
      response_body, error, duration_ms, at
    from outcome join updated using (attempt_id)`
  await defer(trx, statement.compile(trx), { isReused: true })
}
