import type { OwnerQuery } from '../db/owner-query.ts'

export interface WebhookBacklog {
  /** Deliveries that are due or wait for their next attempt. */
  readonly pending: number
  /** Time since the oldest due delivery was due, in seconds; 0 if none is due. */
  readonly oldestDueSeconds: number
  /** Enabled endpoints whose last attempts failed. */
  readonly failing: number
  /** Endpoints that were disabled because of their failures. */
  readonly disabled: number
}

/** Returns the webhook deliveries of all organizations that are not done. Reads the index of pending deliveries only. */
export async function webhookBacklog(query: OwnerQuery): Promise<WebhookBacklog> {
  const [backlog] = await query<WebhookBacklog>(`
    select d.pending, d."oldestDueSeconds", e.failing, e.disabled
    from (select count(*) as pending, greatest(coalesce(extract(epoch from now() - min(next_attempt_at)), 0), 0)::float8 as "oldestDueSeconds"
      from webhook_delivery where status = 'pending') d,
    (select count(*) filter (where enabled and failing_since is not null) as failing,
      count(*) filter (where not enabled and disabled_reason in ('gone', 'failing')) as disabled
      from webhook_endpoint) e`)
  if (backlog === undefined) throw new Error('the backlog of webhooks is one row')
  return backlog
}
