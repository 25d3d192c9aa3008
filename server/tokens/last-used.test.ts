import { describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { createApp } from '../http/app.ts'
import { reportingTo } from '../lib/loop-health.ts'
import { moduleHandlers } from '../modules.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { authenticator } from './authenticator.ts'
import { recordTokenUses } from './last-used.ts'

const { database, platform, organization } = await testApp()
const start = Date.parse('2026-01-01T00:00:00Z')
const never = 86_400_000
const unexpected = reportingTo((error) => {
  throw error
})

/** Returns the caller's own token as the API shows it. */
async function record(caller: Caller): Promise<{ lastUsedAt: string | null; lastUsedAddress: string | null }> {
  return (await caller.call('GET', '/v1/tokens')).body.data[0]
}

async function bearer(caller: Caller): Promise<{ organizationId: string; tokenId: string }> {
  const { body } = await caller.call('GET', '/v1/tokens')
  return { organizationId: caller.organizationId, tokenId: body.data[0].id.slice(-36) }
}

/** Returns the database with a transaction counter. The first `failures` transactions fail. */
function counting(failures = 0): { db: Database; transactions: () => number } {
  let count = 0
  const transaction: Database['transaction'] = (organizationId, fn) => {
    count += 1
    return count <= failures ? Promise.reject(new Error('connection lost')) : database.transaction(organizationId, fn)
  }
  return { db: { ...database, transaction }, transactions: () => count }
}

describe('uses of tokens', () => {
  it('are written together, the latest per token, and nothing without uses', async () => {
    const [one, other] = [await organization(), await organization()]
    const { db, transactions } = counting()
    let time = start
    const uses = recordTokenUses(db, { now: () => new Date((time += 1000)), health: unexpected, intervalMs: never })
    const bearers = [await bearer(one), await bearer(other)]
    for (let n = 1; n <= 50; n += 1) for (const each of bearers) uses.record(each, `192.0.2.${n}`)
    expect(transactions()).toBe(0)
    expect(await record(one)).toMatchObject({ lastUsedAt: null, lastUsedAddress: null })
    await uses.flush()
    expect(transactions()).toBe(2)
    expect(await record(one)).toMatchObject({ lastUsedAt: '2026-01-01T00:01:39.000Z', lastUsedAddress: '192.0.2.50' })
    expect(await record(other)).toMatchObject({ lastUsedAt: '2026-01-01T00:01:40.000Z', lastUsedAddress: '192.0.2.50' })
    await uses.flush()
    expect(transactions()).toBe(2)
    await uses.close()
  })

  it('update a row once, independent of the number of requests', async () => {
    const caller = await organization()
    const who = await bearer(caller)
    const version = async (): Promise<string> =>
      (await database.pool.query('select xmin::text as version from api_token where id = $1', [who.tokenId])).rows[0].version
    const uses = recordTokenUses(database, { now: () => new Date(start), health: unexpected, intervalMs: never })
    const before = await version()
    for (let n = 0; n < 10; n += 1) uses.record(who, '192.0.2.1')
    await uses.flush()
    const after = await version()
    expect(after).not.toBe(before)
    for (let n = 0; n < 10; n += 1) uses.record(who, '192.0.2.1')
    await uses.close()
    expect(await version()).toBe(after)
  })

  it('are never replaced by older uses from a slower process', async () => {
    const caller = await organization()
    const who = await bearer(caller)
    for (const [at, address] of [
      [start + 5000, '192.0.2.2'],
      [start, '192.0.2.1'],
    ] as const) {
      const uses = recordTokenUses(database, { now: () => new Date(at), health: unexpected, intervalMs: never })
      uses.record(who, address)
      await uses.close()
    }
    expect(await record(caller)).toMatchObject({ lastUsedAt: '2026-01-01T00:00:05.000Z', lastUsedAddress: '192.0.2.2' })
  })

  it('that could not be written are retried', async () => {
    const caller = await organization()
    const uses = recordTokenUses(counting(1).db, { now: () => new Date(start), health: unexpected, intervalMs: never })
    uses.record(await bearer(caller), '192.0.2.1')
    await expect(uses.flush()).rejects.toThrow('could not be written')
    await uses.close()
    expect(await record(caller)).toMatchObject({ lastUsedAt: '2026-01-01T00:00:00.000Z' })
  })

  it('have the address of the request, and are written at shutdown', async () => {
    const caller = await organization()
    const now = (): Date => new Date(start)
    const { db, transactions } = counting()
    const uses = recordTokenUses(db, { now, health: unexpected, intervalMs: never })
    const { authenticate } = authenticator(database, { now, onUse: uses.record })
    const app = await createApp({ platform, authenticate, handlers: moduleHandlers })
    const headers = { authorization: `Bearer ${caller.token}` }
    expect((await app.inject({ url: '/v1/contacts', headers, remoteAddress: '192.0.2.7' })).statusCode).toBe(200)
    expect(transactions()).toBe(0)
    await app.close()
    await uses.close()
    expect(await record(caller)).toMatchObject({ lastUsedAt: '2026-01-01T00:00:00.000Z', lastUsedAddress: '192.0.2.7' })
  })
})
