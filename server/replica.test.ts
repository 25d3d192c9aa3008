import { api, type Route } from '@groundwork/api'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import type { Database } from './db/database.ts'
import type { ReadSource } from './db/replica/replica.ts'
import { openStore, type Store } from './db/store.ts'
import { checkReplica } from './doctor/replica.ts'
import { replicaReads } from './http/replica-reads.ts'
import { localStorage } from './storage/storage.ts'
import { testApp, type Called, type TestApp } from './testing/app.ts'
import { postgresPrograms, startReplicatedPostgres, type ReplicatedPostgres } from './testing/replicated-postgres.ts'

const bin = inject('serverUrl') === '' ? null : postgresPrograms()
const routes = Object.entries(api).flatMap(([resource, verbs]) =>
  Object.entries<Route>(verbs).flatMap(([verb, route]): [string, Route][] =>
    replicaReads.has(`${resource}.${verb}`) ? [[`${resource}.${verb}`, route]] : [],
  ),
)

/** The servers that answered reads of lists and reports, and the warnings of the programs. */
const answered: ReadSource[] = []
const warnings: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })

async function open(servers: ReplicatedPostgres, replicaUrl?: string): Promise<Store> {
  const databaseUrl = servers.primaryUrl
  return openStore({ dataDir: '/nowhere', databaseUrl, replicaUrl, connections: 4, onRead: (source) => void answered.push(source), log })
}

/** Starts two programs with the replica, of which the second one reads what the first one has written, and one without. */
async function start(programs: string) {
  const servers = await startReplicatedPostgres(programs)
  const stores = [await open(servers, servers.replicaUrl), await open(servers, servers.replicaUrl), await open(servers)] as const
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-replica-files-'))
  // Hooks run in the reverse order: the programs, which are started below, end before.
  afterAll(async () => {
    for (const store of stores) await store.close()
    await servers.close()
    await rm(folder, { recursive: true, force: true })
  })
  const files = await localStorage(folder)
  const secretKey = { current: 'a secret key that only tests use', previous: null }
  const program = (database: Database): Promise<TestApp> => testApp({ store: { database, files, secretKey, close: async () => undefined } })
  const [writer, reader, unreplicated] = [
    await program(stores[0].database),
    await program(stores[1].database),
    await program(stores[2].database),
  ]
  const caller = await writer.organization()
  const readFrom = async ({ app }: TestApp, url: string): Promise<Pick<Called, 'status' | 'body'>> => {
    const reply = await app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${caller.token}` } })
    const isJson = String(reply.headers['content-type']).startsWith('application/json')
    return { status: reply.statusCode, body: isJson ? reply.json() : reply.body }
  }
  return {
    servers,
    caller,
    pool: stores[2].database.pool,
    read: (url: string) => readFrom(reader, url),
    readFromPrimary: (url: string) => readFrom(unreplicated, url),
  }
}

const setting = bin === null ? null : await start(bin)
function running() {
  if (setting === null) throw new Error('the servers were not started')
  return setting
}
beforeEach(() => {
  answered.length = 0
  warnings.length = 0
})

let serial = 0
/** Creates a contact through the first program, and returns its id. */
async function create(): Promise<string> {
  const { status, body } = await running().caller.call('POST', '/v1/contacts', { email: `c${(serial += 1)}@example.com` })
  expect(status).toBe(201)
  return body.id
}
/** Returns the ids of the newest contacts, as the second program shows them. */
async function newest(): Promise<string[]> {
  const { status, body } = await running().read('/v1/contacts?limit=5')
  expect(status).toBe(200)
  return body.map(({ id }: { id: string }) => id)
}
/** Reads until the replica answers. */
async function untilReplicaAnswers(): Promise<void> {
  await expect
    .poll(async () => {
      answered.length = 0
      await newest()
      return answered
    })
    .toEqual(['replica'])
}

it('only reading routes are answered by a replica', () => {
  expect(routes.map(([name]) => name).toSorted()).toEqual([...replicaReads])
  expect(routes.filter(([, { method }]) => method !== 'GET')).toEqual([])
})

describe.skipIf(bin === null)('lists and reports with a replica (PostgreSQL and pg_basebackup)', () => {
  it('show at once what another program has written or deleted', async () => {
    await untilReplicaAnswers()
    for (let round = 0; round < 30; round += 1) {
      const id = await create()
      expect(await newest()).toContain(id)
      await running().caller.call('DELETE', `/v1/contacts/${id}`)
      expect(await newest()).not.toContain(id)
    }
    expect(answered).toContain('replica')
  })

  it('are all answered by the replica alone, and show the same as the primary', async () => {
    const { caller, read, readFromPrimary } = running()
    const contact = await create()
    const post = async (path: string, body: object): Promise<string> => (await caller.call('POST', path, body)).body.id
    const base = await post('/v1/bases', { name: 'B' })
    const values: Record<string, string> = {
      '/v1/contacts': contact,
      '/v1/bases': base,
      '/v1/proposals': await post('/v1/proposals', { title: 'Offer', contactId: contact, totalAmount: '10.00', draft: true }),
      '/v1/webhooks': await post('/v1/webhooks', { url: 'https://example.com/hook' }),
    }
    await untilReplicaAnswers()
    for (const [name, { path }] of routes) {
      const url = path.replace(/^(\/v1\/\w+)\/\{\w+\}/, (_whole, collection: string) => `${collection}/${values[collection]}`)
      // The first read on a new connection is answered by the primary.
      await expect
        .poll(
          async () => {
            answered.length = 0
            const reply = await read(url)
            return { reply, sources: [...new Set(answered)] }
          },
          { message: name },
        )
        .toEqual({ reply: { status: 200, body: expect.anything() }, sources: ['replica'] })
      const same = await readFromPrimary(url)
      // Its period ends with the request.
      if (name === 'overview.get') same.body.pipelineSince = expect.any(String)
      expect(await read(url), name).toEqual(same)
    }
  })

  it('are answered by the primary while the replica is behind', async () => {
    const { servers } = running()
    await untilReplicaAnswers()
    await servers.pauseReplay()
    onTestFinished(() => servers.resumeReplay())
    const id = await create()
    answered.length = 0
    expect(await newest()).toContain(id)
    expect(await newest()).toContain(id)
    expect(answered).toEqual(['primary', 'primary'])
    expect(warnings.at(-1)).toContain('behind')
    await servers.resumeReplay()
    await untilReplicaAnswers()
    expect(await newest()).toContain(id)
  })

  it('are answered by the primary while the replica is down, and by the replica again when it is up', async () => {
    const { servers } = running()
    await untilReplicaAnswers()
    await servers.stopReplica()
    const id = await create()
    for (let round = 0; round < 3; round += 1) expect(await newest()).toContain(id)
    expect(new Set(answered.slice(-3))).toEqual(new Set(['primary']))
    expect(warnings.join()).toContain('does not serve')
    await servers.startReplica()
    const later = await create()
    for (let round = 0; round < 5; round += 1) expect(await newest()).toContain(later)
    await untilReplicaAnswers()
    expect(await newest()).toContain(later)
  })

  it('are answered by the primary if the URL leads to no replica, which the log says', async () => {
    const { servers, caller } = running()
    const store = await open(servers, servers.primaryUrl)
    onTestFinished(() => store.close())
    const read = async (): Promise<unknown[] | undefined> =>
      store.database.reads?.().select(caller.organizationId, (db) => db.selectFrom('contact').select('id'))
    await expect
      .poll(async () => {
        expect((await read())?.length).toBeGreaterThan(0)
        return warnings.join()
      })
      .toContain('no replica')
    expect(answered).not.toContain('replica')
  })

  it('have a replica in which the doctor finds no fault, and finds one that is none', async () => {
    const { servers, pool } = running()
    expect(await checkReplica(pool, servers.replicaUrl)).toEqual([])
    expect(await checkReplica(pool, servers.primaryUrl)).toMatchObject([
      { check: 'replica', subject: 'DATABASE_REPLICA_URL', detail: expect.stringContaining('no replica') },
    ])
  })
})
