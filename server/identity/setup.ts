import { wireId, type Me, type SetUp } from '@groundwork/api'
import { sql } from 'kysely'
import { createHash, randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { audit } from '../audit/audit.ts'
import { withTransaction, type Context, type PublicContext } from '../context.ts'
import { WithHeaders } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { insertOrganization } from '../organizations/create.ts'
import { addMember } from '../members/add.ts'
import { toMe } from './me.ts'

/**
 * Makes a token with which the first user can be made, as long as there is none; the one of before ends with that, so
 * of several processes the one that started last has the token that works. For the program, which prints it.
 * @returns 256 random bits, of which the database has the hash alone; null once there is a user
 */
export async function createSetupToken(pool: Pool, now: Date): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  const { rowCount } = await pool.query(
    `insert into identity.setup (token_hash, created_at) select $1, $2 where setup_needed()
     on conflict (one) do update set token_hash = excluded.token_hash, created_at = excluded.created_at`,
    [hashOf(token), now],
  )
  return rowCount === 0 ? null : token
}

export async function setupNeeded(visit: PublicContext): Promise<{ needed: boolean; oidcHost: string | null }> {
  const rows = await presenting<{ needed: boolean }>(visit, Buffer.alloc(0), sql`select setup_needed() as needed`)
  return { needed: rows.some(({ needed }) => needed), oidcHost: visit.identity.issuerHost }
}

/**
 * Makes the first user of all, as the owner of a new organization or of the one that the command line made, and signs in.
 * @throws AppError `conflict` once there is a user, `not_found` for another token, `rate_limited` after too many of those
 */
export async function setUp(visit: PublicContext, input: SetUp): Promise<WithHeaders<Me>> {
  if (!(await setupNeeded(visit)).needed) throw alreadySetUp()
  const hash = hashOf(input.token)
  const { authenticationThrottle, origin } = visit
  const { found, refusal } = await authenticationThrottle.lookUp(origin.address, async () => {
    const statement = sql<{ organization_id: string | null }>`select * from presented_setup(${input.organizationName})`
    return (await presenting(visit, hash, statement))[0]
  })
  if (found === undefined) {
    throw refusal ?? new AppError('not_found', 'this is not the address that the program printed when it last started', { field: 'token' })
  }
  const passwordHash = await visit.identity.hashPassword(input.password)
  const now = visit.now()
  const userId = newId(now.getTime())
  const actor = { type: 'user', id: userId, ...visit.origin } as const
  const ctx: Context = { ...visit, organizationId: found.organization_id ?? newId(now.getTime()) }
  await withTransaction(ctx, async (trx) => {
    const { rows } = await sql<{ used: boolean }>`select use_setup(${hash}) as used`.execute(trx)
    if (rows[0]?.used !== true) throw alreadySetUp()
    await sql`select create_user(${userId}, ${input.name}, ${input.email}, ${passwordHash}, ${now})`.execute(trx)
    if (found.organization_id === null) await insertOrganization(ctx, trx, input.organizationName, actor)
    await addMember(ctx, trx, { userId, role: 'owner' })
    await audit(ctx, trx, { action: 'member.added', target: wireId('usr', userId) }, actor)
  })
  const cookie = await visit.identity.signIn(input, visit.origin)
  return new WithHeaders(toMe(await visit.identity.sessionOf(cookie.split(';', 1)[0] ?? '')), { 'Set-Cookie': cookie })
}

const alreadySetUp = (): AppError => new AppError('conflict', 'the first user is there already: sign in, or ask for an invitation')

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The rows of a statement for who presents a setup token. */
function presenting<Row>(visit: PublicContext, hash: Buffer, statement: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  // oxlint-disable-next-line no-restricted-properties -- who sets up has no organization yet
  return visit.db.presenting({ kind: 'setup_hash', value: hash }, async (trx) => (await statement.execute(trx)).rows)
}
