import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { newId } from '../lib/ids.ts'
import { reportingTo } from '../lib/loop-health.ts'
import { cut } from '../testing/faults.ts'
import { pgbouncerIsInstalled, startPgBouncer, type PgBouncerOptions } from '../testing/pgbouncer.ts'
import { copyOfTemplate, type TestDatabase } from '../testing/template.ts'
import { openBulkSession } from './bulk-session.ts'
import { connectDatabase, type Database } from './database.ts'
import { createNotifications } from './notifications.ts'
import { assertSameDatabase, assertSessions } from './session-check.ts'
import { openStore, type Store } from './store.ts'

const serverUrl = inject('serverUrl')
const isPossible = serverUrl !== '' && pgbouncerIsInstalled()
let copy: TestDatabase
const [first, second] = [newId(), newId()]

beforeAll(async () => {
  if (!isPossible) return
  copy = await copyOfTemplate({ serverUrl, embeddedTemplate: inject('embeddedTemplate') })
  for (const id of [first, second])
    await copy.database.pool.query(`insert into organization (id, name, created_at) values ($1, 'Test', now())`, [id])
})
afterAll(() => copy?.close())

/** Returns the URL of the database through a new PgBouncer. */
async function throughPgBouncer(options: PgBouncerOptions): Promise<string> {
  const pgbouncer = await startPgBouncer(serverUrl, options)
  onTestFinished(() => pgbouncer.close())
  return pgbouncer.through(serverItself())
}

function serverItself(): string {
  if (copy.url === null) throw new Error('the embedded engine has no URL')
  return copy.url
}

async function pooled(poolSize: number): Promise<Database> {
  const connection = { connectionString: await throughPgBouncer({ mode: 'transaction', poolSize }) }
  const database = connectDatabase(connection, { direct: { connectionString: serverItself() }, connections: 10 })
  onTestFinished(() => database.close())
  return database
}

/** Returns the role and scope of a statement without a scope, and how many names all organizations have. */
const asOwner = async ({ pool }: Database): Promise<unknown> => {
  const { rows } = await pool.query(
    `select current_user <> 'groundwork_app' as "isOwner", coalesce(current_setting('app.organization_id', true), '') as organization,
      (select count(distinct name) from organization) as names`,
  )
  return rows
}

describe.skipIf(!isPossible)('behind PgBouncer in transaction mode (PostgreSQL and pgbouncer)', () => {
  it.each([1, 3])('each statement has the scope of its organization, and none leaks, on %i shared sessions', async (poolSize) => {
    const database = await pooled(poolSize)
    const ids = (id: string, plannedOnce: boolean) =>
      database.select(id, (db) => db.selectFrom('organization').select('id'), { plannedOnce })
    const idsInTransaction = (id: string, repeatableRead: boolean) =>
      database.transaction(
        id,
        async (trx) => {
          await sql`select pg_sleep(0.001)`.execute(trx)
          return trx.selectFrom('organization').select('id').execute()
        },
        { repeatableRead },
      )
    const failing = (id: string): Promise<unknown> =>
      database.transaction(id, (trx) => sql`select 1 / 0`.execute(trx)).catch((error: unknown) => error)
    for (let round = 0; round < 20; round += 1) {
      const id = round % 2 === 0 ? first : second
      const other = round % 2 === 0 ? second : first
      const answers = await Promise.all([
        ids(id, false),
        ids(other, true),
        idsInTransaction(id, round % 3 === 0),
        asOwner(database),
        failing(id),
        ids(other, false),
        idsInTransaction(other, false),
        asOwner(database),
      ])
      const unscoped = [{ isOwner: true, organization: '', names: 1 }]
      const [own, others] = [[{ id }], [{ id: other }]]
      expect(answers).toEqual([own, others, own, unscoped, expect.objectContaining({ code: '22012' }), others, others, unscoped])
    }
  })

  it('a connection that is lost inside a transaction leaves no scope behind', async () => {
    const database = await pooled(1)
    let client: PoolClient | undefined
    database.pool.once('acquire', (acquired) => (client = acquired))
    const lost = database.transaction(first, async (trx) => {
      await sql`update organization set name = 'Changed'`.execute(trx)
      if (client !== undefined) cut(client)
      await sql`select 1`.execute(trx)
    })
    await expect(lost).rejects.toMatchObject({ code: '08006' })
    expect(await asOwner(database)).toEqual([{ isOwner: true, organization: '', names: 1 }])
    expect(await database.select(second, (db) => db.selectFrom('organization').select(['id', 'name']))).toEqual([
      { id: second, name: 'Test' },
    ])
  })

  it('no statement is prepared', async () => {
    const database = await pooled(1)
    for (let n = 0; n < 3; n += 1) {
      await database.select(first, (db) => db.selectFrom('contact').select('id'))
      await database.transaction(first, (trx) => trx.selectFrom('contact').select('id').execute())
    }
    expect((await database.pool.query('select name from pg_prepared_statements')).rows).toEqual([])
  })

  it('notifications arrive on a direct connection', async () => {
    const database = await pooled(1)
    const errors: Error[] = []
    const notifications = createNotifications(
      database.sessionPool,
      reportingTo((error) => errors.push(error)),
    )
    onTestFinished(() => notifications.close())
    const heard: string[] = []
    await notifications.subscribe('groundwork_events', { onNotification: (payload) => heard.push(payload) })
    await database.pool.query(`select pg_notify('groundwork_events', 'news')`)
    await expect.poll(() => heard).toEqual(['news'])
    expect(errors).toEqual([])
  })
})

const log = pino({ level: 'silent' })
const open = async (databaseUrl: string, directUrl?: string): Promise<Store> => {
  const store = await openStore({ dataDir: '/nowhere', databaseUrl, directUrl, log })
  onTestFinished(() => store.close())
  return store
}

describe.skipIf(!isPossible)('at the start (PostgreSQL and pgbouncer)', () => {
  const roundRobin = 'server_round_robin = 1'
  it.each([
    { poolSize: 1, settings: '', traffic: 0 },
    { poolSize: 20, settings: '', traffic: 0 },
    { poolSize: 20, settings: roundRobin, traffic: 0 },
    { poolSize: 3, settings: '', traffic: 6 },
    { poolSize: 20, settings: roundRobin, traffic: 12 },
  ])(
    'an undeclared pooler in transaction mode is refused: $poolSize sessions, $traffic other clients, $settings',
    async ({ traffic, ...options }) => {
      const url = await throughPgBouncer({ mode: 'transaction', ...options })
      const others = connectDatabase({ connectionString: url }, { direct: { connectionString: serverItself() }, connections: 12 })
      onTestFinished(() => others.close())
      // Opens all sessions of PgBouncer, since its choice among idle ones matters.
      await Promise.all(Array.from({ length: Math.min(options.poolSize, 12) }, () => others.pool.query('select pg_sleep(0.05)')))
      const stopping = new AbortController()
      const working = Array.from({ length: traffic }, async () => {
        while (!stopping.signal.aborted) await others.pool.query('select pg_sleep(random() * 0.003)')
      })
      const outcome = await assertSessions('DATABASE_URL', url).catch((error: Error) => error.message)
      stopping.abort()
      await Promise.all(working)
      expect(outcome).toMatch(/^DATABASE_URL: .*transaction.* DATABASE_POOLER=transaction.*DATABASE_DIRECT_URL/)
    },
  )

  it('the program refuses it, and opens where the pooler is declared', async () => {
    const url = await throughPgBouncer({ mode: 'transaction', poolSize: 2 })
    await expect(open(url)).rejects.toThrow('DATABASE_POOLER=transaction')
    await expect(open(url, url)).rejects.toThrow(/^DATABASE_DIRECT_URL: /)
    const { database } = await open(url, serverItself())
    expect(await database.select(first, (db) => db.selectFrom('organization').select('id'))).toEqual([{ id: first }])
  })

  it('a pooler in session mode is accepted, also with as few sessions as the program uses, and a server too', async () => {
    const url = await throughPgBouncer({ mode: 'session', poolSize: 3 })
    await assertSessions('DATABASE_URL', url)
    await assertSessions('DATABASE_URL', serverItself())
    const { database } = await open(await throughPgBouncer({ mode: 'session', poolSize: 20 }))
    expect(await database.select(first, (db) => db.selectFrom('organization').select('id'))).toEqual([{ id: first }])
  })

  it('a backup opens its session through a pooler in session mode, which refuses startup parameters', async () => {
    const session = await openBulkSession({ connectionString: await throughPgBouncer({ mode: 'session', poolSize: 1 }) })
    onTestFinished(() => session.close())
    expect(await session.query('show statement_timeout')).toEqual([{ statement_timeout: '0' }])
  })

  it('a direct URL of another database is refused', async () => {
    const url = await throughPgBouncer({ mode: 'transaction', poolSize: 2 })
    await expect(assertSameDatabase(url, serverUrl)).rejects.toThrow('another database')
    await assertSameDatabase(url, serverItself())
  })

  it('a pooler that changes its mode later is named', async () => {
    const url = await throughPgBouncer({ mode: 'transaction', poolSize: 1 })
    const database = connectDatabase({ connectionString: url }, { connections: 2 })
    onTestFinished(() => database.close())
    const client = await database.pool.connect()
    onTestFinished(() => client.release())
    await expect(database.pool.query('select 1')).rejects.toThrow('DATABASE_POOLER=transaction')
  })
})
