import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { hashSecret, newSecret } from './secret.ts'
import { authenticator, createToken } from './tokens.ts'

const now = (): Date => new Date()
const { database, organization } = await testApp()
const refused = expect.objectContaining({ code: 'unauthorized' })

describe('createToken', () => {
  it('keeps the hash and nowhere the secret', async () => {
    const { organizationId } = await organization()
    const { id, secret } = await createToken(database, {
      organizationId,
      name: 'ci',
      scopes: ['contacts:read'],
      expiresAt: null,
      now: new Date(),
    })
    const { rows } = await database.pool.query('select * from api_token where id = $1', [id])
    expect(rows[0]).toMatchObject({ name: 'ci', hash: hashSecret(secret), scopes: ['contacts:read'], expires_at: null, revoked_at: null })
    expect(JSON.stringify(rows)).not.toContain(secret.slice(3))
  })

  it('makes none for an organization that does not exist', async () => {
    const token = { organizationId: '0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8', name: 'x', scopes: [], expiresAt: null, now: new Date() }
    await expect(createToken(database, token)).rejects.toMatchObject({ code: '23503' })
  })
})

describe('authenticator', () => {
  it('tells who presents a token', async () => {
    const { organizationId } = await organization()
    const scopes = ['contacts:read', 'search:read'] as const
    const { id, secret } = await createToken(database, { organizationId, name: 'x', scopes, expiresAt: null, now: new Date() })
    const authenticate = authenticator(database, now)
    const bearer = { organizationId, tokenId: id, scopes }
    expect(await authenticate(secret)).toEqual(bearer)
    expect(await authenticate(secret)).toEqual(bearer)
  })

  it('refuses what is malformed or unknown', async () => {
    const authenticate = authenticator(database, now)
    for (const secret of ['', 'gw_', 'gw_ä', `${newSecret()}x`, newSecret()]) await expect(authenticate(secret)).rejects.toEqual(refused)
  })

  it('refuses an expired token at once, also when it is remembered', async () => {
    const { organizationId } = await organization()
    const expiresAt = new Date('2026-01-01T00:00:10Z')
    let time = new Date('2026-01-01T00:00:00Z')
    const { secret } = await createToken(database, { organizationId, name: 'x', scopes: [], expiresAt, now: time })
    const authenticate = authenticator(database, () => time, 60_000)
    expect(await authenticate(secret)).toMatchObject({ organizationId })
    time = new Date('2026-01-01T00:00:10Z')
    await expect(authenticate(secret)).rejects.toEqual(refused)
    await expect(authenticator(database, () => time)(secret)).rejects.toEqual(refused)
  })

  it('refuses a revoked token once the time of remembering is over', async () => {
    const { organizationId } = await organization()
    let time = new Date('2026-01-01T00:00:00Z')
    const { id, secret } = await createToken(database, { organizationId, name: 'x', scopes: [], expiresAt: null, now: time })
    const authenticate = authenticator(database, () => time, 900)
    await authenticate(secret)
    await database.pool.query('update api_token set revoked_at = now() where id = $1', [id])
    time = new Date(time.getTime() + 900)
    await expect(authenticate(secret)).rejects.toEqual(refused)
    await expect(authenticator(database, () => time)(secret)).rejects.toEqual(refused)
  })

  it('forgets nobody by being asked about many others', async () => {
    const { organizationId } = await organization()
    const { secret } = await createToken(database, { organizationId, name: 'x', scopes: [], expiresAt: null, now: new Date() })
    const authenticate = authenticator(database, now)
    await Promise.all(Array.from({ length: 50 }, async () => expect(await authenticate(secret)).toMatchObject({ organizationId })))
    await expect(Promise.any(Array.from({ length: 50 }, () => authenticate(newSecret())))).rejects.toThrow(AggregateError)
    expect(await authenticate(secret)).toMatchObject({ organizationId })
  })
})

describe('a bearer before it is known', () => {
  it('sees its own token and nothing else', async () => {
    const { organizationId } = await organization()
    const { id, secret } = await createToken(database, { organizationId, name: 'x', scopes: [], expiresAt: null, now: new Date() })
    await database.asBearer(hashSecret(secret), async (trx) => {
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
