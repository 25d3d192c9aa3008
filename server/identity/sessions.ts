import type { Role } from '@groundwork/api'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** A signed-in user and their memberships. */
export interface Session {
  readonly id: string
  readonly expiresAt: Date
  readonly user: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly emailVerified: boolean
    readonly twoFactorEnabled: boolean
    readonly createdAt: Date
  }
  /** Ordered by name. */
  readonly memberships: readonly { readonly organizationId: string; readonly name: string; readonly slug: string; readonly role: Role }[]
}

export interface Sessions {
  /** Returns the session of a token; undefined if it has ended. Results are cached for `cacheMs`. */
  find(token: string): Promise<Session | undefined>
  /** Returns the newest event of each organization of the user, by organization; without organizations that have none. Not cached. */
  newestEvents(token: string): Promise<ReadonlyMap<string, string>>
  /** Clears the cache of this user's sessions, or of all sessions. */
  invalidate(userId?: string): void
}

export interface SessionsOptions {
  now: () => Date
  /** How long other processes may still accept an ended session, in milliseconds. */
  cacheMs?: number
  /** Milliseconds of a monotonic clock. */
  monotonicMs?: () => number
}

/** Maximum number of cached sessions. */
const capacity = 10_000

export function openSessions(db: Database, { now, cacheMs = 900, monotonicMs = () => performance.now() }: SessionsOptions): Sessions {
  const cache = new Map<string, { session: Session; until: number }>()
  let invalidations = 0

  async function load(token: string): Promise<Session | undefined> {
    // Taken before the query, so that a change during the query is seen no later than `until`.
    const until = monotonicMs() + cacheMs
    const before = invalidations
    const session = await read(db, token)
    if (session === undefined) cache.delete(token)
    else if (invalidations === before) {
      if (cache.size >= capacity) cache.clear()
      cache.set(token, { session, until })
    }
    return session
  }

  return {
    async find(token) {
      const cached = cache.get(token)
      const session = cached !== undefined && monotonicMs() < cached.until ? cached.session : await load(token)
      return session !== undefined && session.expiresAt > now() ? session : undefined
    },
    newestEvents: (token) => readNewestEvents(db, token),
    invalidate(userId) {
      invalidations += 1
      for (const [token, { session }] of cache) if (userId === undefined || session.user.id === userId) cache.delete(token)
    },
  }
}

interface PresentedSession {
  session_id: string
  expires_at: Date
  user_id: string
  name: string
  email: string
  email_verified: boolean
  two_factor_enabled: boolean
  created_at: Date
}

function read(db: Database, token: string): Promise<Session | undefined> {
  return db.presenting({ kind: 'session_token', value: Buffer.from(token) }, async (trx) => {
    const [row] = (await sql<PresentedSession>`select * from presented_session()`.execute(trx)).rows
    if (row === undefined) return undefined
    const memberships = await trx
      .selectFrom('membership')
      .innerJoin('organization', 'organization.id', 'membership.organization_id')
      .select(['organization.id as organizationId', 'organization.name', 'organization.slug', 'membership.role'])
      .orderBy('organization.name')
      .orderBy('organization.id')
      .execute()
    return {
      id: row.session_id,
      expiresAt: row.expires_at,
      user: {
        id: row.user_id,
        name: row.name,
        email: row.email,
        emailVerified: row.email_verified,
        twoFactorEnabled: row.two_factor_enabled,
        createdAt: row.created_at,
      },
      memberships,
    }
  })
}

function readNewestEvents(db: Database, token: string): Promise<ReadonlyMap<string, string>> {
  return db.presenting({ kind: 'session_token', value: Buffer.from(token) }, async (trx) => {
    const rows = await trx
      .selectFrom('membership')
      .select(['organization_id', sql<string | null>`newest_event(organization_id)`.as('event_id')])
      .execute()
    return new Map(rows.flatMap(({ organization_id: id, event_id: eventId }) => (eventId === null ? [] : [[id, eventId]])))
  })
}
