import { setTimeout } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly sha256: string
}

/** The first line of a migration that does not run in one transaction. */
const firstLines = {
  /** Each statement runs alone, in order. For `create index concurrently`. */
  statements: '-- mode: statements',
  /** The only statement is repeated, each time in a transaction, until it changes no row. */
  batches: '-- mode: batches',
  /** The only statement runs for each organization, whose id is its parameter $1, each time in a transaction of its own. */
  organizations: '-- mode: organizations',
} as const

export type MigrationMode = keyof typeof firstLines | 'transaction'

/** Statements that run in place of migrations whose files cannot be edited any more. */
const replacements: Readonly<Record<string, string>> = {
  // One transaction over all organizations locks their counters until its end, and each commit that changes a counter waits for it.
  '0028_count_use.sql': `${firstLines.organizations}
select recount_use(id) from (select id from organization where id = $1 for key share) as existing;
`,
}

const statementsToRun = ({ name, sql }: Pick<Migration, 'name' | 'sql'>): string => replacements[name] ?? sql

export function modeOf(migration: Pick<Migration, 'name' | 'sql'>): MigrationMode {
  const [firstLine = ''] = statementsToRun(migration).split('\n')
  if (!firstLine.startsWith('-- mode:')) return 'transaction'
  const modes = Object.keys(firstLines) as (keyof typeof firstLines)[]
  const mode = modes.find((each) => firstLines[each] === firstLine)
  if (mode === undefined) throw new Error(`The migration ${migration.name} has an unknown mode: ${firstLine}`)
  return mode
}

/** Key of the advisory lock of migrations in steps. It is held by a session, because they have no transaction around them. */
const stepsLock = 7_305_115_833

/**
 * Runs a migration that is no single transaction, and records it. A killed one runs again from its start, so each statement must
 * leave the same state when it is repeated.
 * @returns false if another program has run it meanwhile
 */
export async function applyInSteps(pool: Pool, migration: Migration, lockTimeoutMs: number): Promise<boolean> {
  const client = await pool.connect()
  let failed = true
  try {
    // Polled: a statement that waits for the lock has a snapshot, for whose end CREATE INDEX CONCURRENTLY would wait.
    while (!(await holdsLock(client))) await setTimeout(100)
    const { rowCount } = await client.query('select from migration where name = $1', [migration.name])
    const isLeft = rowCount === 0
    if (isLeft) {
      const [mode, sql] = [modeOf(migration), statementsToRun(migration)]
      if (mode === 'batches') await untilUnchanged(client, sql, lockTimeoutMs)
      else if (mode === 'organizations') await forEachOrganization(client, sql, lockTimeoutMs)
      else await runStatements(client, sql, lockTimeoutMs)
      await record(client, migration)
    }
    await client.query('reset lock_timeout')
    await releaseLock(client)
    failed = false
    return isLeft
  } finally {
    // A closed connection gives up the lock and its settings.
    client.release(failed)
  }
}

/** Records that a migration has run. */
export async function record(client: PoolClient, { name, sha256 }: Migration): Promise<void> {
  await client.query('insert into migration (name, sha256) values ($1, $2) on conflict (name) do nothing', [name, sha256])
}

async function holdsLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${stepsLock}) as held`).catch(withoutLock)
  return rows[0]?.held === true
}

const releaseLock = (client: PoolClient): Promise<unknown> =>
  client.query<{ held: boolean }>(`select pg_advisory_unlock(${stepsLock}) as held`).catch(withoutLock)

/** The embedded engine refuses locks of sessions. A single program has its database, so it needs none. */
function withoutLock(error: unknown): { rows: { held: boolean }[] } {
  if ((error as { code?: string }).code !== '0A000') throw error
  return { rows: [{ held: true }] }
}

async function runStatements(client: PoolClient, sql: string, lockTimeoutMs: number): Promise<void> {
  for (const statement of statementsOf(sql)) {
    // A concurrent statement waits for other transactions to end, and no statement waits for it meanwhile.
    const limitMs = /\bconcurrently\b/i.test(statement) ? 0 : lockTimeoutMs
    await client.query(`set lock_timeout = ${limitMs}`)
    await client.query(statement)
  }
}

async function untilUnchanged(client: PoolClient, sql: string, lockTimeoutMs: number): Promise<void> {
  await client.query(`set lock_timeout = ${lockTimeoutMs}`)
  for (;;) {
    const { rowCount } = await client.query(sql)
    if ((rowCount ?? 0) === 0) return
  }
}

async function forEachOrganization(client: PoolClient, sql: string, lockTimeoutMs: number): Promise<void> {
  await client.query(`set lock_timeout = ${lockTimeoutMs}`)
  const { rows } = await client.query<{ id: string }>('select id from organization order by id')
  for (const { id } of rows) await client.query(sql, [id])
}

/** Returns the statements of a migration. Each ends with a semicolon at the end of a line. */
export const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
