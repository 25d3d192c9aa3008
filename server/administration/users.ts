import type { AuditAction } from '@groundwork/api'
import { wireId } from '@groundwork/api'
import { randomBytes } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { OwnerQuery } from '../db/owner-query.ts'
import { ownerTransaction } from '../db/owner-transaction.ts'
import { newId } from '../lib/ids.ts'
import { auditByOperator } from './audit.ts'

/** A user as the operator sees it. */
export interface ListedUser {
  /** With the prefix `usr_`. */
  readonly id: string
  readonly email: string
  readonly name: string
  readonly twoFactorEnabled: boolean
  readonly createdAt: string
  /** Number of active sessions. */
  readonly sessions: number
  readonly organizations: readonly { readonly name: string; readonly role: string }[]
}

/** Returns all users by email address. */
export async function listUsers(query: OwnerQuery): Promise<ListedUser[]> {
  const rows = await query<Omit<ListedUser, 'createdAt'> & { createdAt: Date }>(
    `select u.id, u.email, u.name, coalesce(u.two_factor_enabled, false) as "twoFactorEnabled", u.created_at as "createdAt",
       (select count(*) from identity.session where user_id = u.id and expires_at > now())::integer as sessions,
       (select coalesce(json_agg(json_build_object('name', o.name, 'role', m.role) order by o.name, o.id), '[]')
        from membership m join organization o on o.id = m.organization_id where m.user_id = u.id) as organizations
     from identity."user" u order by lower(u.email)`,
  )
  return rows.map(({ id, createdAt, ...row }) => ({ ...row, id: wireId('usr', id), createdAt: createdAt.toISOString() }))
}

const linkLifetimeMs = 3_600_000

/**
 * Creates a link with which a user sets a new password, as "Forgot password?" would send it. Former links become invalid.
 * @throws Error if there is no such user
 */
export function createPasswordLink(
  pool: Pool,
  email: string,
  { baseUrl, now }: { baseUrl: string; now: Date },
): Promise<{ id: string; url: string; expiresAt: string }> {
  return changeUser(pool, email, { action: 'user.password_link_created', now }, async (client, userId) => {
    const token = randomBytes(24).toString('base64url')
    const expiresAt = new Date(now.getTime() + linkLifetimeMs)
    await client.query(`delete from identity.verification where identifier like 'reset-password:%' and value = $1`, [userId])
    await client.query(
      `insert into identity.verification (id, identifier, value, expires_at, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)`,
      [newId(now.getTime()), `reset-password:${token}`, userId, expiresAt, now],
    )
    return { id: wireId('usr', userId), url: `${baseUrl}/app/reset-password#${token}`, expiresAt: expiresAt.toISOString() }
  })
}

/**
 * Turns off the second factor of a user who has lost it. The password alone then signs in. Returns whether there was one.
 * @throws Error if there is no such user
 */
export function disableTwoFactor(pool: Pool, email: string, now: Date): Promise<{ id: string; disabled: boolean }> {
  return changeUser(pool, email, { action: 'user.two_factor_disabled', now }, async (client, userId) => {
    const { rowCount } = await client.query(
      `update identity."user" set two_factor_enabled = false, updated_at = $2 where id = $1 and two_factor_enabled`,
      [userId, now],
    )
    await client.query('delete from identity.two_factor where user_id = $1', [userId])
    return { id: wireId('usr', userId), disabled: rowCount === 1 }
  })
}

/** Changes a user, and adds an entry to the audit log of each of its organizations. */
function changeUser<T>(
  pool: Pool,
  email: string,
  { action, now }: { action: AuditAction; now: Date },
  change: (client: PoolClient, userId: string) => Promise<T>,
): Promise<T> {
  return ownerTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from identity."user" where lower(email) = lower($1) for update', [email])
    const [user] = rows
    if (user === undefined) throw new Error(`There is no user with the email address ${email}.`)
    const result = await change(client, user.id)
    const memberships = await client.query<{ id: string }>(
      'select organization_id as id from membership where user_id = $1 order by organization_id',
      [user.id],
    )
    for (const { id } of memberships.rows) await auditByOperator(client, id, now, { action, target: wireId('usr', user.id) })
    return result
  })
}
