import { wireId, type Me, type SetUp } from '@groundwork/api'
import { sql } from 'kysely'
import { createHash, randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { audit } from '../audit/audit.ts'
import { withTransaction, type Context } from '../context.ts'
import type { PublicContext } from '../identity/context.ts'
import { WithHeaders } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { insertOrganization, setRegion } from '../organizations/create.ts'
import { addMember } from '../members/add.ts'
import { meOf } from '../identity/me.ts'

/**
 * Creates the token for creating the first user, as long as there is none. It replaces the previous one, so of several
 * processes the last one to start prints the valid token.
 * @returns 256 random bits, of which the database stores only the hash; null if there is a user
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

export async function setupNeeded(publicCtx: PublicContext): Promise<{ needed: boolean; oidcHost: string | null }> {
  const rows = await queryPresenting<{ needed: boolean }>(publicCtx, Buffer.alloc(0), sql`select setup_needed() as needed`)
  return { needed: rows.some(({ needed }) => needed), oidcHost: publicCtx.identity.issuerHost }
}

/**
 * Creates the first user as owner of a new organization, or of one created with the command line, and signs the user in.
 * @throws AppError `conflict` if there is a user, `not_found` for an invalid token, `rate_limited` after too many of those
 */
export async function setUp(publicCtx: PublicContext, input: SetUp): Promise<WithHeaders<Me>> {
  if (!(await setupNeeded(publicCtx)).needed) throw alreadySetUp()
  const hash = hashOf(input.token)
  const { authenticationThrottle, origin } = publicCtx
  const { found, refusal } = await authenticationThrottle.lookUp(origin.address, async () => {
    const statement = sql<{ organization_id: string | null }>`select * from presented_setup(${input.organizationName})`
    return (await queryPresenting(publicCtx, hash, statement))[0]
  })
  if (found === undefined) {
    throw (
      refusal ??
      new AppError('not_found', 'This setup link is not valid. Open the link that the program printed when it last started.', {
        field: 'token',
      })
    )
  }
  const passwordHash = await publicCtx.identity.hashPassword(input.password)
  const now = publicCtx.now()
  const userId = newId(now.getTime())
  const actor = { type: 'user', id: userId, ...publicCtx.origin } as const
  const ctx: Context = { ...publicCtx, organizationId: found.organization_id ?? newId(now.getTime()) }
  await withTransaction(ctx, async (trx) => {
    const { rows } = await sql<{ used: boolean }>`select use_setup(${hash}) as used`.execute(trx)
    if (rows[0]?.used !== true) throw alreadySetUp()
    await sql`select create_user(${userId}, ${input.name}, ${input.email}, ${passwordHash}, ${now})`.execute(trx)
    const { organizationName: name, country, defaultCurrency, timeZone } = input
    const region = { country, defaultCurrency, timeZone }
    if (found.organization_id === null) await insertOrganization(ctx, trx, { name, ...region }, actor)
    else await setRegion(ctx, trx, region)
    await addMember(ctx, trx, { userId, role: 'owner' })
    await audit(ctx, trx, { action: 'member.added', target: wireId('usr', userId) }, actor)
  })
  const cookie = await publicCtx.identity.signIn(input, publicCtx)
  return new WithHeaders(await meOf(publicCtx.identity, cookie.split(';', 1)[0] ?? ''), { 'Set-Cookie': cookie })
}

const alreadySetUp = (): AppError => new AppError('conflict', 'The first user already exists. Sign in, or ask for an invitation.')

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Runs a statement with access to what a setup token allows. */
function queryPresenting<Row>(publicCtx: PublicContext, hash: Buffer, statement: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  // oxlint-disable-next-line no-restricted-properties -- there is no organization during setup
  return publicCtx.db.presenting({ kind: 'setup_hash', value: hash }, async (trx) => (await statement.execute(trx)).rows)
}
