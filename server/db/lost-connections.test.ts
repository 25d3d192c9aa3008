import { Kysely, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { newId } from '../lib/ids.ts'
import { reportingTo } from '../lib/loop-health.ts'
import { cut } from '../testing/faults.ts'
import { copyOfTemplate } from '../testing/template.ts'
import type { Database } from './database.ts'
import { listen } from './listen.ts'

let database: Database
let close: () => Promise<void>
const lost: Error[] = []
const organizationId = newId()

beforeAll(async () => {
  const copy = await copyOfTemplate({
    serverUrl: inject('serverUrl'),
    embeddedTemplate: inject('embeddedTemplate'),
    onError: (error) => lost.push(error),
  })
  database = copy.database
  close = copy.close
  await database.pool.query(`insert into organization (id, name, created_at) values ($1, 'Test', now())`, [organizationId])
})
afterAll(() => close())

/** Runs `fn` while the connection that the pool hands out next is kept for the test to cut. */
async function withNext(fn: (next: () => PoolClient) => Promise<void>): Promise<void> {
  let client: PoolClient | undefined
  database.pool.once('acquire', (acquired) => (client = acquired))
  await fn(() => {
    if (client === undefined) throw new Error('no connection was handed out')
    return client
  })
}

describe('a connection that is lost', () => {
  it('while a transaction does other things fails the transaction, and nothing else', async () => {
    await withNext(async (next) => {
      const work = database.transaction(organizationId, async (trx) => {
        await sql`update organization set name = 'Changed'`.execute(trx)
        cut(next())
        await new Promise((passed) => next().once('end', passed))
        await sql`select 1`.execute(trx)
      })
      await expect(work).rejects.toMatchObject({ name: 'ConnectionError', code: '08006' })
    })
    const { rows } = await database.pool.query('select name from organization')
    expect(rows).toEqual([{ name: 'Test' }])
  })

  it('before COMMIT is answered fails the transaction', async () => {
    await withNext(async (next) => {
      const work = database.transaction(organizationId, async (trx) => {
        await sql`select 1`.execute(trx)
        cut(next())
      })
      await expect(work).rejects.toMatchObject({ code: '08006' })
    })
  })

  it('during a statement fails that statement', async () => {
    await withNext(async (next) => {
      const work = database.select(organizationId, (db) => db.selectNoFrom(sql`pg_sleep(1)`.as('slept')))
      const ended = work.catch((error: unknown) => error)
      await vi.waitFor(next)
      setImmediate(() => cut(next()))
      expect(await ended).toMatchObject({ code: '08006' })
    })
  })

  it('while the sign-in library works fails its transaction', async () => {
    await withNext(async (next) => {
      const people = new Kysely<unknown>({ dialect: database.identity })
      const work = people.transaction().execute(async (trx) => {
        cut(next())
        await sql`select 1`.execute(trx)
      })
      await expect(work).rejects.toMatchObject({ code: '08006' })
    })
  })

  it('is reported once, without the client and its cancel key', async () => {
    lost.length = 0
    const client = await database.pool.connect()
    client.release()
    cut(client)
    await vi.waitFor(() => expect(lost).toHaveLength(1))
    expect(Object.keys(lost[0] ?? {})).not.toContain('client')
    expect(database.pool.totalCount).toBe(database.pool.idleCount)
  })
})

describe('listening', () => {
  it('goes on after its connection was lost, and says that notifications may have been missed', async () => {
    const heard: string[] = []
    const errors: Error[] = []
    let begun = 0
    const clients: PoolClient[] = []
    const remember = (client: PoolClient): number => clients.push(client)
    database.pool.on('acquire', remember)
    const listening = listen(database.pool, ['test_channel'], {
      onNotification: (channel, payload) => heard.push(`${channel} ${payload}`),
      onListening: () => (begun += 1),
      health: reportingTo((error) => errors.push(error)),
    })
    await listening.attempted
    expect(begun).toBe(1)
    database.pool.off('acquire', remember)
    clients.forEach(cut)
    await vi.waitFor(() => expect(begun).toBe(2), { timeout: 120_000 })
    await database.pool.query(`select pg_notify('test_channel', 'news')`)
    await vi.waitFor(() => expect(heard).toEqual(['test_channel news']), { timeout: 120_000 })
    expect(errors).toEqual([])
    listening.stop()
  })
})
