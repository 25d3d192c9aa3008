import { documentAt } from '@groundwork/e2e/mixed-load'
import { freePort, pause, program, root, type Program } from '@groundwork/e2e/program'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { fillOrganizations } from './fill-organizations.ts'
import { percentile, printTable, withEnds } from './run.ts'

/** Requests to the former version while this version migrates its large database and starts. */

const former = resolve(process.argv[2] ?? '')
const organizations = Number(process.argv[3] ?? 2000)
const size = { organizations, contacts: organizations * 50, sources: organizations * 50, chunks: organizations * 100 }
const beforeMs = 20_000
const afterMs = 20_000
const longestMs = 1000
/** Organizations with callers. */
const callers = 4

type Phase = 'before' | 'upgrade' | 'after'

interface Measured {
  readonly request: string
  readonly phase: Phase
  readonly ms: number
  readonly failure: string | null
}

await withEnds(async (atEnd) => {
  if (process.argv[2] === undefined || !existsSync(join(former, 'server/dist/main.js')))
    throw new Error('name the folder of a built former version: npm run bench:upgrade FOLDER [ORGANIZATIONS]')
  const serving = await program(atEnd, { LOG_LEVEL: 'warn' }, 'none', [process.execPath, join(former, 'server/dist/main.js')])
  await serving.start()
  const url = serving.env['DATABASE_URL']
  if (url === undefined) throw new Error('set TEST_DATABASE_URL: programs of two versions use one database')
  const tokens: string[] = []
  for (let n = 0; n < callers; n += 1) tokens.push(await formerToken(serving, `Caller ${n}`))
  const measured: Measured[] = []
  let phase: Phase = 'before'
  const stopping = new AbortController()
  const loads = await Promise.all(
    tokens.map((token) => openLoad(serving.url, token, (request, ms, failure) => measured.push({ request, phase, ms, failure }))),
  )

  const database = new pg.Client({ connectionString: url })
  await database.connect()
  atEnd(() => database.end())
  await fillOrganizations(database, size)

  const calling = Promise.all(
    loads.map(async (rounds, caller) => {
      for (let round = caller; !stopping.signal.aborted; round += 1) await rounds(round)
    }),
  )
  atEnd(async () => {
    stopping.abort()
    await calling
  })
  // The first requests of each kind are compiled.
  await pause(10_000)
  measured.length = 0
  await pause(beforeMs)
  const check = await promisify(execFile)(process.execPath, ['cli/dist/main.js', 'upgrade', '--check'], { cwd: root, env: serving.env })
  process.stdout.write(check.stdout)
  phase = 'upgrade'
  const began = performance.now()
  const waits = watchLocks(database, stopping.signal)
  const present = await program(atEnd, { ...serving.env, PORT: String(await freePort()), LOG_LEVEL: 'info' }, 'none')
  await present.start()
  const seconds = (performance.now() - began) / 1000
  phase = 'after'
  process.stdout.write(await migrationTimes(database))
  await pause(afterMs)
  stopping.abort()
  await calling
  printTable(
    'Longest waits for locks from the start of this version on, milliseconds',
    ['ms', 'waits', 'holds'],
    (await waits).slice(0, 8).map((wait) => [wait.ms.toFixed(0), oneLine(wait.waits), oneLine(wait.holds)]),
  )
  const row = (name: string, of: readonly Measured[]): string[] => [
    name,
    ...(['before', 'upgrade', 'after'] as const).flatMap((each) => {
      const times = of.filter((one) => one.phase === each).map(({ ms }) => ms)
      return [String(times.length), percentile(times, 0.95).toFixed(0), Math.max(0, ...times).toFixed(0)]
    }),
  ]
  const kinds = [...new Set(measured.map(({ request }) => request))]
  printTable(
    `Requests to the former version, milliseconds: ${size.organizations} organizations, ${size.contacts} contacts, ${size.sources} sources, ${size.chunks} chunks; the start of this version took ${seconds.toFixed(1)} s (PostgreSQL)`,
    ['request', 'before', 'p95', 'longest', 'during the start', 'p95', 'longest', 'after', 'p95', 'longest'],
    [
      ...kinds.map((kind) =>
        row(
          kind,
          measured.filter(({ request }) => request === kind),
        ),
      ),
      row('all', measured),
    ],
  )
  const failures = measured.filter(({ failure }) => failure !== null)
  const longest = Math.max(...measured.filter((one) => one.phase !== 'before').map(({ ms }) => ms))
  process.stdout.write(
    `${failures.length} requests failed ${JSON.stringify(failures.slice(0, 5))}\n` +
      `The longest request from the start of this version on took ${longest.toFixed(0)} ms: ${longest <= longestMs ? 'within' : 'NOT within'} ${longestMs} ms\n`,
  )
  // The reasons of failed requests are in the log of the former version.
  for (const line of serving.output().split('\n')) if (line.includes('"level":50')) process.stdout.write(`${line.slice(0, 1500)}\n`)
  process.stdout.write(await doctor(present))
  if (failures.length > 0 || longest > longestMs) process.exitCode = 1
})

async function formerToken({ env }: Program, organization: string): Promise<string> {
  const words = ['cli/dist/main.js', 'token', 'create', '--organization', organization, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: former, env })
  return (JSON.parse(stdout) as { token: string }).token
}

/** Returns the times at which the migrations ended. */
async function migrationTimes(database: pg.Client): Promise<string> {
  const { rows } = await database.query<{ name: string; at: Date }>(
    'select name, applied_at as at from migration order by applied_at desc limit 6',
  )
  return rows.map(({ name, at }) => `${at.toISOString()} ${name}\n`).join('')
}

async function doctor({ env }: Program): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['cli/dist/main.js', 'doctor'], { cwd: root, env }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}

/** Returns a function that sends one request of each kind of an organization, one after the other. */
async function openLoad(
  url: string,
  token: string,
  onRequest: (request: string, ms: number, failure: string | null) => void,
): Promise<(round: number) => Promise<void>> {
  const send = async <T>(name: string, method: string, path: string, body?: object | string): Promise<T | undefined> => {
    const json = typeof body === 'object'
    const headers = { authorization: `Bearer ${token}`, ...(json && { 'content-type': 'application/json' }) }
    const began = performance.now()
    const { status, text } = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: json ? JSON.stringify(body) : body }),
    })
      .then(async (reply) => ({ status: reply.status, text: await reply.text() }))
      .catch((error: unknown) => ({ status: 0, text: String(error) }))
    const failure = status >= 200 && status < 300 ? null : `${status} ${text}`
    onRequest(name, performance.now() - began, failure)
    return failure === null && text !== '' ? (JSON.parse(text) as T) : undefined
  }
  const base = await send<{ id: string }>('create a base', 'POST', '/v1/bases', { name: 'Base' })
  if (base === undefined) throw new Error('the former version refuses a knowledge base')
  return async (round) => {
    await send('list contacts', 'GET', '/v1/contacts?limit=50')
    const contact = await send<{ id: string }>('create a contact', 'POST', '/v1/contacts', { email: `${round}@example.com` })
    await send('get a contact', 'GET', `/v1/contacts/${contact?.id}`)
    await send('search', 'POST', `/v1/bases/${base.id}/search`, { query: `Where is the valve number ${round}?` })
    await send('create a proposal', 'POST', '/v1/proposals', { title: 'Offer', contactId: contact?.id, totalAmount: '10.00', draft: true })
    if (round % 2 === 0) {
      const text = documentAt(round + 1)
      const file = { fileName: 'a.md', sizeBytes: Buffer.byteLength(text) }
      const upload = await send<{ uploadUrl: string; storageUrl: string }>('create an upload', 'POST', '/v1/uploads', file)
      if (upload !== undefined) {
        const { pathname, search } = new URL(upload.uploadUrl)
        await send('upload', 'PUT', pathname + search, text)
        const body = { name: 'A', type: 'file', storageUrl: upload.storageUrl }
        const source = await send<{ id: string }>('add a source', 'POST', `/v1/bases/${base.id}/sources`, body)
        if (round % 4 === 0 && source !== undefined) await send('delete a source', 'DELETE', `/v1/bases/${base.id}/sources/${source.id}`)
      }
    }
    await send('list sources', 'GET', `/v1/bases/${base.id}/sources?limit=20`)
    await pause(50)
  }
}

function oneLine(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ')
}

interface LockWait {
  readonly waits: string
  readonly holds: string
  readonly ms: number
}

/** Returns the longest waits for locks of each pair of statements until the signal, longest first, sampled every 20 ms. */
async function watchLocks(database: pg.Client, signal: AbortSignal): Promise<LockWait[]> {
  const longest = new Map<string, LockWait>()
  while (!signal.aborted) {
    const { rows } = await database.query<LockWait>(
      `select left(w.query, 80) as waits, left(h.query, 80) as holds, extract(epoch from clock_timestamp() - l.waitstart)::float8 * 1000 as ms
       from pg_locks l join pg_stat_activity w on w.pid = l.pid
         cross join lateral unnest(pg_blocking_pids(w.pid)) p join pg_stat_activity h on h.pid = p
       where not l.granted and l.waitstart is not null and w.datname = current_database()`,
    )
    for (const wait of rows) {
      const pair = `${wait.waits} ${wait.holds}`
      if (wait.ms > (longest.get(pair)?.ms ?? 0)) longest.set(pair, wait)
    }
    await pause(20)
  }
  return [...longest.values()].toSorted((one, other) => other.ms - one.ms)
}
