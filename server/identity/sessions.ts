import type { Role } from '@groundwork/api'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** A user who is signed in, and where he may do what. */
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
  /** By name. */
  readonly memberships: readonly { readonly organizationId: string; readonly name: string; readonly slug: string; readonly role: Role }[]
}

export interface Sessions {
  /** The session that the token belongs to; undefined when it has ended. An answer is remembered for `rememberMs`. */
  find(token: string): Promise<Session | undefined>
  /** Asks the database again from now on: about this user's sessions, or about all of them. */
  forget(userId?: string): void
}

export interface SessionsOptions {
  now: () => Date
  /** What an ended session may go on working in other processes than the one that ended it. */
  rememberMs?: number
  /** Milliseconds of a clock that is never set. */
  monotonicMs?: () => number
}

/** Sessions remembered at most. */
const capacity = 10_000

export function openSessions(db: Database, { now, rememberMs = 900, monotonicMs = () => performance.now() }: SessionsOptions): Sessions {
  const known = new Map<string, { session: Session; until: number }>()
  let forgotten = 0

  async function look(token: string): Promise<Session | undefined> {
    // Counted from before the question: what happens to the session while it is answered is seen no later than that.
    const until = monotonicMs() + rememberMs
    const before = forgotten
    const session = await read(db, token)
    if (session === undefined) known.delete(token)
    else if (forgotten === before) {
      if (known.size >= capacity) known.clear()
      known.set(token, { session, until })
    }
    return session
  }

  return {
    async find(token) {
      const remembered = known.get(token)
      const session = remembered !== undefined && monotonicMs() < remembered.until ? remembered.session : await look(token)
      return session !== undefined && session.expiresAt > now() ? session : undefined
    },
    forget(userId) {
      forgotten += 1
      for (const [token, { session }] of known) if (userId === undefined || session.user.id === userId) known.delete(token)
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
