import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** What is asked for: so many requests of one window, of which all programs together may have `quota`. */
export interface Claim {
  readonly organizationId: string
  /** The token, or the organization itself. */
  readonly subjectId: string
  readonly startsAt: Date
  readonly requests: number
  readonly quota: number
}

export interface Claimed {
  /** Of the requests asked for, those that are the asker's now. */
  readonly granted: number
  /** What is left to claim. */
  readonly unclaimed: number
}

/**
 * Takes a piece of a window's quota. Programs that claim at once are put in order by the row, so that what they are
 * granted never adds up to more than the quota. A crash may forget a claim, which is not worth a wait for the disk.
 */
export async function claimRequests(db: Database, { organizationId, subjectId, startsAt, requests, quota }: Claim): Promise<Claimed> {
  const { rows } = await db.transaction(organizationId, (trx) =>
    sql<{ claimed: number }>`
      with over as (
        -- Whoever finds them locked leaves them to the other one: no two wait for each other.
        select subject_id, starts_at from rate_window
        where organization_id = ${organizationId} and starts_at < ${startsAt}::timestamptz - interval '2 minutes'
        for update skip locked
      ), gone as (
        delete from rate_window using over
        where rate_window.organization_id = ${organizationId}
          and rate_window.starts_at = over.starts_at and rate_window.subject_id = over.subject_id
      )
      insert into rate_window (organization_id, starts_at, subject_id, claimed)
      values (${organizationId}, ${startsAt}, ${subjectId}, ${requests})
      on conflict (organization_id, starts_at, subject_id) do update
        set claimed = rate_window.claimed + excluded.claimed where rate_window.claimed < ${quota}
      returning claimed, set_config('synchronous_commit', 'off', true)`.execute(trx),
  )
  const claimed = rows[0]?.claimed
  if (claimed === undefined) return { granted: 0, unclaimed: 0 }
  return { granted: Math.max(0, requests - Math.max(0, claimed - quota)), unclaimed: Math.max(0, quota - claimed) }
}
