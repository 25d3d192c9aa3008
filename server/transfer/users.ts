import type { OwnerQuery } from '../db/owner-query.ts'
import { newId } from '../lib/ids.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import type { ExportedUser } from './format.ts'
import { moveSecret, only, sealedIn } from './secrets.ts'

const secondFactorTable = 'identity.two_factor'

interface Row extends Omit<ExportedUser, 'secondFactor'> {
  readonly secondFactor: ExportedUser['secondFactor']
}

const usersQuery = `
  select u.id, u.name, u.email, u.email_verified as "emailVerified", u.image, to_json(u.created_at) #>> '{}' as "createdAt",
    to_json(u.updated_at) #>> '{}' as "updatedAt", coalesce(u.two_factor_enabled, false) as "hasSecondFactor",
    (select coalesce(json_agg(json_build_object('id', a.id, 'providerId', a.provider_id, 'accountId', a.account_id,
        'password', a.password, 'createdAt', a.created_at, 'updatedAt', a.updated_at) order by a.id), '[]')
      from identity.account a where a.user_id = u.id) as accounts,
    (select json_build_object('id', f.id, 'secret', f.secret, 'backupCodes', f.backup_codes, 'verified', f.verified)
      from ${secondFactorTable} f where f.user_id = u.id order by f.id limit 1) as "secondFactor"
  from identity."user" u where u.id in (select user_id from membership where organization_id = $1) order by u.id`

/** Returns the members of an organization, without sessions and tokens of identity providers. */
export async function readUsers(
  query: OwnerQuery,
  organizationId: string,
  secrets: { readonly from: SecretKeys; readonly to: string } | null,
): Promise<ExportedUser[]> {
  const users = await query<Row>(usersQuery, [organizationId])
  return Promise.all(
    users.map(async (user) => ({
      ...user,
      secondFactor: user.secondFactor === null || secrets === null ? null : await moveSecondFactor(user.secondFactor, secrets),
    })),
  )
}

/** Returns null if no key decrypts it. */
async function moveSecondFactor(
  factor: NonNullable<ExportedUser['secondFactor']>,
  secrets: { readonly from: SecretKeys; readonly to: string },
): Promise<ExportedUser['secondFactor']> {
  const moved: Record<string, string> = { secret: factor.secret, backup_codes: factor.backupCodes }
  for (const column of sealedIn(secondFactorTable)) {
    const value = await moveSecret(column, moved[column.column] ?? '', [factor.id], secrets)
    if (typeof value !== 'string') return null
    moved[column.column] = value
  }
  return { ...factor, secret: moved['secret'] ?? '', backupCodes: moved['backup_codes'] ?? '' }
}

export interface PlannedUser {
  readonly user: ExportedUser
  /** The id in the target. */
  readonly id: string
  /** Whether a user of the target has the email address. Nothing of such a user is changed. */
  readonly exists: boolean
}

/** Finds the users of the target with the email addresses. Others keep their id, unless it is taken. */
export async function planUsers(query: OwnerQuery, users: readonly ExportedUser[]): Promise<PlannedUser[]> {
  const found = await query<{ id: string; email: string }>(
    `select id, lower(email) as email from identity."user" where lower(email) = any (select lower(e) from unnest($1::text[]) e) or id = any ($2::uuid[])`,
    [users.map(({ email }) => email), users.map(({ id }) => id)],
  )
  const [byEmail, ids] = [new Map(found.map(({ id, email }) => [email, id])), new Set(found.map(({ id }) => id))]
  return users.map((user) => {
    const known = byEmail.get(user.email.toLowerCase())
    if (known !== undefined) return { user, id: known, exists: true }
    return { user, id: ids.has(user.id) ? newId() : user.id, exists: false }
  })
}

/**
 * Adds the planned users that do not exist. A user whose second factor is left out gets no password either: only a link to the
 * mailbox or of the operator then sets one.
 * @returns the email addresses of users without their second factor
 * @throws Error if users of the target have changed since the plan
 */
export async function addUsers(
  query: OwnerQuery,
  planned: readonly PlannedUser[],
  secrets: { from: string | null; to: SecretKeys },
): Promise<string[]> {
  const now = await planUsers(
    query,
    planned.map(({ user }) => user),
  )
  if (now.some(({ id, exists }, at) => exists !== planned[at]?.exists || (exists && id !== planned[at].id)))
    throw new Error('Users of this installation were added or deleted during the import. Repeat it.')
  const without: string[] = []
  for (const { user, id, exists } of planned) {
    if (exists) continue
    const { secondFactor: stored, hasSecondFactor } = user
    const factor =
      stored === null || secrets.from === null ? null : await moveSecondFactor(stored, { from: only(secrets.from), to: secrets.to.current })
    const isWithout = hasSecondFactor && factor === null
    if (isWithout) without.push(user.email)
    await query(
      `insert into identity."user" (id, name, email, email_verified, image, two_factor_enabled, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, user.name, user.email, user.emailVerified, user.image, hasSecondFactor && !isWithout, user.createdAt, user.updatedAt],
    )
    for (const account of user.accounts) {
      const isPassword = account.providerId === 'credential'
      if (isPassword && isWithout) continue
      // An account of an identity provider can belong to a user of the target with another email address.
      await query(
        `insert into identity.account (id, user_id, provider_id, account_id, password, created_at, updated_at)
         values (gen_random_uuid(), $1, $2, $3, $4, $5, $6) on conflict (provider_id, account_id) do nothing`,
        [id, account.providerId, isPassword ? id : account.accountId, account.password, account.createdAt, account.updatedAt],
      )
    }
    if (factor !== null)
      await query(
        `insert into ${secondFactorTable} (id, user_id, secret, backup_codes, verified) values (gen_random_uuid(), $1, $2, $3, $4)`,
        [id, factor.secret, factor.backupCodes, factor.verified],
      )
  }
  return without
}
