import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'
import { authenticator, type AuthenticatorOptions } from './authenticator.ts'
import { createToken } from './issue.ts'
import { hashSecret, newSecret } from './secret.ts'

const now = (): Date => new Date()
const { app, database, platform, organization } = await testApp()
const refused = expect.objectContaining({ code: 'unauthorized' })

/** Creates an authenticator as another process has one, with its own cache and a clock that the test controls. */
function another(options: Partial<AuthenticatorOptions> = {}) {
  const clock = { ms: 0 }
  return { ...authenticator(database, { now, monotonicMs: () => clock.ms, ...options }), clock }
}

async function token(caller: Caller, body: object = {}): Promise<{ id: string; token: string }> {
  const answer = await caller.call('POST', '/v1/tokens', { name: 'x', scopes: ['contacts:read'], ...body })
  expect(answer.status).toBe(201)
  return answer.body
}

const status = async (secret: string): Promise<number> =>
  (await app.inject({ url: '/v1/contacts', headers: { authorization: `Bearer ${secret}` } })).statusCode

describe('authenticator', () => {
  it('returns the bearer of a token', async () => {
    const { organizationId } = await organization()
    const scopes = ['contacts:read', 'search:read'] as const
    const { id, secret } = await createToken(database, { organizationId, name: 'x', scopes, expiresAt: null, now: new Date() })
    const { authenticate } = another()
    const bearer = { kind: 'token', organizationId, tokenId: id, scopes, baseIds: null }
    expect(await authenticate(secret)).toEqual(bearer)
    expect(await authenticate(secret)).toEqual(bearer)
  })

  it('rejects malformed and unknown secrets', async () => {
    const { authenticate } = another()
    for (const secret of ['', 'gw_', 'gw_ä', `${newSecret()}x`, newSecret()]) await expect(authenticate(secret)).rejects.toEqual(refused)
  })

  it('accepts an unknown secret once an organization was imported, also during the query', async () => {
    const { organizationId } = await organization()
    const { authenticate, invalidateOrganization, forgetUnknown } = another()
    const create = (): { hash: Buffer; secret: string } => {
      const secret = newSecret()
      return { secret, hash: hashSecret(secret) }
    }
    const add = ({ hash }: { hash: Buffer }) =>
      database.pool.query(
        `insert into api_token (organization_id, id, name, hash, scopes, created_at) values ($1, gen_random_uuid(), 'x', $2, '{}', now())`,
        [organizationId, hash],
      )
    for (const notify of [() => invalidateOrganization(organizationId), forgetUnknown]) {
      const [before, during] = [create(), create()]
      await expect(authenticate(before.secret)).rejects.toEqual(refused)
      const asked = authenticate(during.secret)
      notify()
      await expect(asked).rejects.toEqual(refused)
      for (const each of [before, during]) {
        await add(each)
        expect(await authenticate(each.secret)).toMatchObject({ organizationId })
      }
    }
  })

  it('causes no query for a wrong checksum and one for a busy caller', async () => {
    const { token: secret } = await organization()
    let connections = 0
    database.pool.on('acquire', () => (connections += 1))
    const mistyped = `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`
    for (const wrong of [mistyped, 'nonsense', `gw_${'0'.repeat(38)}`]) expect(await status(wrong)).toBe(401)
    expect(connections).toBe(0)
    const { authenticate } = another()
    for (let n = 0; n < 20; n += 1) await authenticate(secret)
    expect(connections).toBe(1)
    await expect(authenticate(newSecret())).rejects.toEqual(refused)
    expect(connections).toBe(2)
  })

  it('rejects an expired token immediately, even from the cache', async () => {
    const { organizationId } = await organization()
    const expiresAt = new Date('2026-01-01T00:00:10Z')
    let time = new Date('2026-01-01T00:00:00Z')
    const { secret } = await createToken(database, { organizationId, name: 'x', scopes: [], expiresAt, now: time })
    const { authenticate } = another({ now: () => time })
    expect(await authenticate(secret)).toMatchObject({ organizationId })
    time = new Date('2026-01-01T00:00:10Z')
    await expect(authenticate(secret)).rejects.toEqual(refused)
    await expect(another({ now: () => time }).authenticate(secret)).rejects.toEqual(refused)
  })

  it('of another process rejects a revoked token when its cache entry expires, independent of clock changes', async () => {
    const caller = await organization()
    const created = await token(caller)
    let time = new Date()
    const { authenticate, clock } = another({ now: () => time })
    await authenticate(created.token)
    expect(await status(created.token)).toBe(200)
    expect((await caller.call('DELETE', `/v1/tokens/${created.id}`)).status).toBe(204)
    expect(await status(created.token)).toBe(401)
    clock.ms = 899
    expect(await authenticate(created.token)).toMatchObject({ organizationId: caller.organizationId })
    time = new Date(time.getTime() - 3_600_000)
    clock.ms = 900
    await expect(authenticate(created.token)).rejects.toEqual(refused)
    await expect(another().authenticate(created.token)).rejects.toEqual(refused)
  })

  it('caches for less than a second by default', async () => {
    const caller = await organization()
    const created = await token(caller)
    const { authenticate, clock } = another()
    await authenticate(created.token)
    await caller.call('DELETE', `/v1/tokens/${created.id}`)
    clock.ms = 999
    await expect(authenticate(created.token)).rejects.toEqual(refused)
  })

  it('does not cache a result that was read before a revocation', async () => {
    const caller = await organization()
    const created = await token(caller)
    let answered: () => void = () => undefined
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const waiting = new Promise<void>((resolve) => (answered = resolve))
    const slow = authenticator(
      {
        ...database,
        presenting: async (secret, fn) => {
          const row = await database.presenting(secret, fn)
          answered()
          await held
          return row
        },
      },
      { now },
    )
    const first = slow.authenticate(created.token)
    await waiting
    await caller.call('DELETE', `/v1/tokens/${created.id}`)
    slow.invalidate(created.id.slice(-36))
    release()
    await first
    await expect(slow.authenticate(created.token)).rejects.toEqual(refused)
  })

  it('accepts the previous secret during the overlap only', async () => {
    const caller = await organization()
    const created = await token(caller)
    const { body: rotated } = await caller.call('POST', `/v1/tokens/${created.id}/rotate`, { overlapSeconds: 60 })
    let time = new Date()
    const { authenticate } = another({ now: () => time })
    for (const secret of [created.token, rotated.token])
      expect(await authenticate(secret)).toMatchObject({ tokenId: created.id.slice(-36) })
    time = new Date(time.getTime() + 61_000)
    expect(await authenticate(rotated.token)).toMatchObject({ tokenId: created.id.slice(-36) })
    await expect(authenticate(created.token)).rejects.toEqual(refused)
  })

  it('keeps its results during many look-ups of unknown secrets', async () => {
    const { organizationId, token: secret } = await organization()
    const { authenticate } = another()
    await Promise.all(Array.from({ length: 50 }, async () => expect(await authenticate(secret)).toMatchObject({ organizationId })))
    await expect(Promise.any(Array.from({ length: 50 }, () => authenticate(newSecret())))).rejects.toThrow(AggregateError)
    expect(await authenticate(secret)).toMatchObject({ organizationId })
  })
})

describe('a query before authentication', () => {
  it('can read the presented token and nothing else', async () => {
    const { organizationId } = await organization()
    const { id, secret } = await createToken(database, { organizationId, name: 'x', scopes: [], expiresAt: null, now: platform.now() })
    await database.presenting({ kind: 'token_hash', value: hashSecret(secret) }, async (trx) => {
      expect(await trx.selectFrom('api_token').select('id').execute()).toEqual([{ id }])
      for (const table of ['organization', 'contact', 'proposal', 'base', 'source', 'upload'] as const) {
        expect(await trx.selectFrom(table).select('id').execute()).toEqual([])
      }
      const { numUpdatedRows } = await trx
        .updateTable('api_token')
        .set({ scopes: ['contacts:write'] })
        .executeTakeFirst()
      expect(numUpdatedRows).toBe(0n)
      const { numDeletedRows } = await trx.deleteFrom('api_token').executeTakeFirst()
      expect(numDeletedRows).toBe(0n)
    })
  })
})
