import { Client } from '@groundwork/e2e/client'
import { createToken, freePort, pause, program, root, type Program } from '@groundwork/e2e/program'
import { execFile, spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openFilling } from './fill.ts'
import { startSearches } from './search-callers.ts'
import { percentile, printTable, withEnds } from './run.ts'

/** Searches of an organization during the deletion of a large one, and all that is left of the deleted one. */

const chunks = Number(process.argv[2] ?? 100_000)
const kinds = ['whole', 'killed'].filter((kind) => process.argv[3] === undefined || process.argv[3] === kind)
const bases = 10
const files = 200
const keptChunks = 5000
/** The searches before and after a deletion are compared with those during it, so that other load on the machine affects both. */
const idleMs = 20_000
/** The first searches read the index and are compiled. */
const warmUpMs = 10_000
/** The second deletion is killed this long after its start, and then repeated. */
const killAfterMs = 3000
const largestRatio = 1.5
const deletedName = 'Deleted organization'
const deletionWords = ['cli/dist/main.js', 'organizations', 'delete', deletedName, '--yes', deletedName]

await withEnds(async (atEnd) => {
  const api = await program(atEnd, { ROLE: 'api', LOG_LEVEL: 'warn' })
  const worker = await program(atEnd, { ...api.env, ROLE: 'worker', PORT: String(await freePort()), LOG_LEVEL: 'info' })
  await api.start()
  await worker.start()
  const url = api.env['DATABASE_URL']
  if (url === undefined) throw new Error('set TEST_DATABASE_URL: the API and the worker are two programs')
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  atEnd(() => database.end())

  const kept = await createToken(api, '--organization', 'Kept organization')
  const keptClient = new Client(api.url, kept.token)
  const searched = await keptClient.createBase('searched')
  await fillOrganization(api, keptClient, kept.organizationId, [searched.id], keptChunks)

  const rows: string[][] = []
  const searches = startSearches(api.url, kept.token, searched.id)
  atEnd(() => searches.stop())
  await searches.during(() => pause(warmUpMs))
  for (const kind of kinds) {
    const { organizationId, ids } = await deletable(api, worker, database)
    await database.query('vacuum analyze')
    await database.query('checkpoint').catch(() => undefined) // Only superusers may.
    const before = await searches.during(() => pause(idleMs))
    const untilKilled = kind === 'killed' ? await searches.during(() => killedDeletion(api, database)) : []
    // Counting all rows would slow down the searches too.
    const rowsLeft = await rowsOf(database, organizationId)
    const started = performance.now()
    const untilDeleted = await searches.during(async () => void process.stdout.write(await deletion(api)))
    const seconds = (performance.now() - started) / 1000
    const during = [...untilKilled, ...untilDeleted]
    const after = await searches.during(() => pause(idleMs))
    const idle = [...before, ...after]
    const ratio = percentile(during, 0.95) / percentile(idle, 0.95)
    const left = { ...(await rowsWith(database, ids)), ...(await filesWith(api, organizationId)) }
    rows.push([
      kind === 'killed' ? `killed with ${rowsLeft} rows left, and again` : 'undisturbed',
      seconds.toFixed(1),
      ...[idle, during].flatMap((times) => [
        String(times.length),
        percentile(times, 0.5).toFixed(1),
        percentile(times, 0.95).toFixed(1),
        Math.max(...times).toFixed(0),
      ]),
      ratio.toFixed(2),
      ratio <= largestRatio ? 'yes' : 'NO',
      Object.keys(left).length === 0 ? 'nothing' : JSON.stringify(left),
    ])
  }
  printTable(
    `Searches in ${keptChunks} chunks of one organization while another with ${chunks} is deleted, milliseconds (PostgreSQL)`,
    [
      'deletion',
      'seconds',
      'before and after',
      'p50',
      'p95',
      'max',
      'during',
      'p50',
      'p95',
      'max',
      'p95 ratio',
      `at most ${largestRatio}`,
      'left',
    ],
    rows,
  )
  process.stdout.write(`${searches.failures.length} searches failed ${searches.failures.slice(0, 3).join(' ')}\n`)
})

/** Adds chunks in parts to the knowledge bases, without ingestion. */
async function fillOrganization(
  api: Program,
  client: Client,
  organizationId: string,
  baseIds: readonly string[],
  count: number,
): Promise<void> {
  const seeds = await client.createBase('seeds')
  const filling = await openFilling(api, organizationId.slice(-36), seeds.id.slice(-36))
  for (const id of baseIds) await filling.fill(id.slice(-36), count / baseIds.length)
  await filling.close()
}

interface Deletable {
  readonly organizationId: string
  /** The ids of the organization and of some of its records, as uuids. */
  readonly ids: readonly string[]
}

/** Makes an organization with many chunks, files that were ingested, contacts, searches and an event stream of changes. */
async function deletable(api: Program, worker: Program, database: pg.Client): Promise<Deletable> {
  const { token, organizationId, id: tokenId } = await createToken(api, '--organization', deletedName)
  const client = new Client(api.url, token)
  const baseIds: string[] = []
  for (let n = 0; n < bases; n += 1) baseIds.push((await client.createBase(`base ${n}`)).id)
  await fillOrganization(api, client, organizationId, baseIds, chunks)
  const sources: { baseId: string; id: string }[] = []
  for (let n = 0; n < files; n += 1) {
    const baseId = baseIds[n % bases] ?? ''
    const text = Array.from({ length: 20 }, (_, line) => `Shelf ${n} of the store, row ${line}: box ${n * 30 + line}.`).join('\n\n')
    sources.push({ baseId, id: (await client.addFile(baseId, `${n}.txt`, 'text/plain', Buffer.from(text))).id })
  }
  const contacts: string[] = []
  for (let n = 0; n < 200; n += 1)
    contacts.push((await client.call<{ id: string }>('POST', '/v1/contacts', { email: `${n}@example.com` })).id)
  for (const { baseId, id } of sources) {
    const { status } = await client.settled(baseId, id)
    if (status !== 'completed') throw new Error(`a source is ${status}:\n${worker.output()}`)
  }
  for (const baseId of baseIds) await client.search(baseId, 'Where is the box?')
  // The search log is written after the answers.
  const deadline = Date.now() + 30_000
  for (;;) {
    const { rows } = await database.query('select from retrieval where organization_id = $1 limit 1', [organizationId.slice(-36)])
    if (rows.length > 0) break
    if (Date.now() > deadline) throw new Error('no search was logged')
    await pause(100)
  }
  const ids = [organizationId, tokenId, ...baseIds, ...sources.map(({ id }) => id), ...contacts].map((id) => id.slice(-36))
  return { organizationId: organizationId.slice(-36), ids }
}

async function deletion({ env }: Program): Promise<string> {
  return (await promisify(execFile)(process.execPath, deletionWords, { cwd: root, env })).stdout
}

/** Starts the deletion and kills it while it deletes rows. */
async function killedDeletion({ env }: Program, database: pg.Client): Promise<void> {
  const child = spawn(process.execPath, deletionWords, { cwd: root, env, stdio: 'ignore' })
  const exited = new Promise((exit) => child.once('exit', exit))
  while ((await database.query('select from organization where deletion_started_at is not null')).rows.length === 0) await pause(50)
  await pause(killAfterMs)
  child.kill('SIGKILL')
  await exited
  if (child.signalCode !== 'SIGKILL') throw new Error('the deletion ended before it was killed')
}

/** Returns the number of rows with the organization. */
async function rowsOf(database: pg.Client, organizationId: string): Promise<number> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and a.attname = 'organization_id' and not a.attisdropped`,
  )
  const counts = tables.map(({ name }) => `(select count(*) from ${name} where organization_id = $1)`)
  const { rows } = await database.query<{ count: string }>(`select ${counts.join(' + ')} as count`, [organizationId])
  return Number(rows[0]?.count)
}

/** Returns the numbers of rows, by table, in which any column but a vector contains one of the ids. */
async function rowsWith(database: pg.Client, ids: readonly string[]): Promise<Record<string, number>> {
  const { rows: tables } = await database.query<{ name: string; columns: string }>(
    `select c.oid::regclass::text as name, string_agg(format('%I::text', a.attname), ', ') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and a.attnum > 0 and not a.attisdropped
       and a.atttypid not in (select oid from pg_type where typname in ('vector', '_int8', 'bytea'))
     group by c.oid`,
  )
  const found: Record<string, number> = {}
  // All uuids of a row are compared with the ids as a set, because a pattern of hundreds of ids takes long for each row.
  for (const { name, columns } of tables) {
    const { rows } = await database.query<{ count: string }>(
      `select count(*) as count from ${name} t where exists (
         select from regexp_matches(concat_ws(' ', ${columns}), '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') m
         where m[1] = any ($1))`,
      [ids],
    )
    if (Number(rows[0]?.count) > 0) found[name] = Number(rows[0]?.count)
  }
  return found
}

/** Returns the number of files and folders whose path contains the id. */
async function filesWith({ env }: Program, organizationId: string): Promise<Record<string, number>> {
  const paths = await readdir(join(env['DATA_DIR'] ?? ''), { recursive: true })
  const found = paths.filter((path) => path.includes(organizationId)).length
  return found === 0 ? {} : { files: found }
}
