import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** A claim on the quota of one rate-limit window. All processes share the quota. */
export interface Claim {
  readonly organizationId: string
  /** Id of the token, user or organization. */
  readonly subjectId: string
  readonly startsAt: Date
  readonly requests: number
  readonly quota: number
}

export interface ClaimResult {
  /** Number of requests granted. */
  readonly granted: number
  /** Quota left to claim. */
  readonly unclaimed: number
}

/**
 * Claims part of a rate-limit window's quota. The row lock serializes concurrent claims, so that their grants never exceed the quota.
 * Commits asynchronously: losing a claim in a crash matters less than waiting for the disk.
 */
export async function claimRequests(db: Database, { organizationId, subjectId, startsAt, requests, quota }: Claim): Promise<ClaimResult> {
  const statement = sql<{ claimed: number }>`
      with expired as (
        -- Skips rows that another transaction is deleting, so that no two transactions wait for each other.
        select subject_id, starts_at from rate_window
        where organization_id = ${organizationId} and starts_at < ${startsAt}::timestamptz - interval '2 minutes'
        for update skip locked
      ), deleted as (
        delete from rate_window using expired
        where rate_window.organization_id = ${organizationId}
          and rate_window.starts_at = expired.starts_at and rate_window.subject_id = expired.subject_id
      )
      insert into rate_window (organization_id, starts_at, subject_id, claimed)
      values (${organizationId}, ${startsAt}, ${subjectId}, ${requests})
      on conflict (organization_id, starts_at, subject_id) do update
        set claimed = rate_window.claimed + excluded.claimed where rate_window.claimed < ${quota}
      returning claimed, set_config('synchronous_commit', 'off', true)`
  const [row] = await db.select(organizationId, (trx) => ({ compile: () => statement.compile(trx) }))
  // All claims of the window, including the part of the last one that exceeds the quota. No row: nothing was left.
  const claimed = row?.claimed
  if (claimed === undefined) return { granted: 0, unclaimed: 0 }
  return { granted: Math.max(0, requests - Math.max(0, claimed - quota)), unclaimed: Math.max(0, quota - claimed) }
}
