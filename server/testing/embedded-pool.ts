import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openEmbedded, type EmbeddedDatabase } from '../db/embedded/embedded.ts'

/**
 * Opened copies of the template, for the test files of this process. A database that a test file gives back gets the rows and
 * the sequences of the template again, because opening another one takes ten times as long.
 */

export interface EmbeddedCopy {
  readonly engine: EmbeddedDatabase
  /** Call after its connections have ended. */
  readonly giveBack: () => Promise<void>
}

interface Opened {
  readonly engine: EmbeddedDatabase
  readonly folder: string
  readonly schema: string
  /** Rows of the template as JSON, by table. */
  readonly rows: ReadonlyMap<string, string>
  /** Statement that sets the sequences to their values in the template. */
  readonly sequences: string
}

/** Most databases that wait for the next test file; each takes about 150 MB. */
const maxIdle = 2

const idle: Opened[] = []

/** Returns a database with the schema and the rows of the template, a folder. */
export async function takeCopy(template: string): Promise<EmbeddedCopy> {
  const opened = idle.pop() ?? (await open(template))
  return {
    engine: opened.engine,
    async giveBack() {
      const isRestored = idle.length < maxIdle && (await restore(opened))
      if (isRestored) idle.push(opened)
      else await close(opened)
    },
  }
}

async function open(template: string): Promise<Opened> {
  // In the folder that is deleted after the run.
  const folder = await mkdtemp(join(dirname(template), 'copy-'))
  // `fs.cp` takes four times the processor time for the 1,300 files of a database.
  await promisify(execFile)('cp', ['-R', template, join(folder, 'db')])
  // Tests that watch statements do not expect those of a vacuum.
  const engine = await openEmbedded({ dataDir: join(folder, 'db'), maintenance: { vacuumMs: 24 * 3_600_000, overdueMs: 24 * 3_600_000 } })
  return {
    engine,
    folder,
    ...(await connected(engine, async (client) => ({
      schema: await schemaOf(client),
      rows: await rowsOf(client),
      sequences: await sequencesOf(client),
    }))),
  }
}

async function close({ engine, folder }: Opened): Promise<void> {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
}

/** Returns false if the test file changed the schema. */
function restore({ engine, schema, rows, sequences }: Opened): Promise<boolean> {
  return connected(engine, async (client) => {
    if ((await schemaOf(client)) !== schema) return false
    await clear(client, await tablesWithRows(client))
    for (const [table, json] of rows) {
      await client.query(`insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`, [json])
    }
    await client.query(sequences)
    return true
  })
}

/**
 * Empties these tables without triggers and foreign keys. `truncate … cascade` takes four times as long: it makes new files for
 * hundreds of tables and indexes without rows.
 */
async function clear(client: pg.Client, tables: readonly string[]): Promise<void> {
  await client.query(`set session_replication_role = replica`)
  for (const table of tables) await client.query(`delete from ${table}`)
  await client.query(`reset session_replication_role`)
  await client.query(`vacuum ${tables.join(', ')}`)
}

async function connected<Result>(engine: EmbeddedDatabase, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ stream: () => engine.stream() })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function rowsOf(client: pg.Client): Promise<Map<string, string>> {
  const rows = new Map<string, string>()
  for (const table of await tablesWithRows(client)) {
    rows.set(table, await textOf(client, `select json_agg(t)::text as text from ${table} t`))
  }
  return rows
}

/** Returns the statement that sets all sequences to their present values. */
function sequencesOf(client: pg.Client): Promise<string> {
  return textOf(
    client,
    `select 'select ' || string_agg(format('setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
       coalesce(last_value, start_value), last_value is not null), ', ') as text
     from pg_sequences`,
  )
}

async function tablesWithRows(client: pg.Client): Promise<string[]> {
  const tables = await namesOf(client, `select oid::regclass::text as name from pg_class where relkind = 'r' and ${isOurs}`)
  const filled = tables.map((table) => `select '${table}' as name where exists (select from ${table})`)
  return namesOf(client, filled.join(' union all '))
}

async function namesOf(client: pg.Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(query)
  return rows.map(({ name }) => name)
}

const isOurs = `relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)`

/** Returns a text that another table, column, policy, function, trigger, constraint, role or setting changes. */
async function schemaOf(client: pg.Client): Promise<string> {
  const catalogs = ['attribute', 'authid', 'constraint', 'db_role_setting', 'policy', 'proc', 'rewrite', 'trigger', 'type']
  return textOf(
    client,
    `select concat_ws(' ',
    (select md5(string_agg(concat_ws(' ', oid, relname, relacl, relrowsecurity, relforcerowsecurity, reloptions), ',' order by oid))
       from pg_class where ${isOurs}),
    ${catalogs.map((catalog) => `(select concat(count(*), ' ', max(xmin::text::bigint)) from pg_${catalog})`).join(', ')}) as text`,
  )
}

async function textOf(client: pg.Client, query: string): Promise<string> {
  const { rows } = await client.query<{ text: string }>(query)
  const [row] = rows
  if (row === undefined) throw new Error(`no row: ${query}`)
  return row.text
}
