import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { packageFile } from '../lib/entry.ts'
import { replaceFormerMigrations } from './former-migrations.ts'
import { applyInSteps, modeOf, record, type Migration } from './migration-modes.ts'
import { ownerTransaction } from './owner-transaction.ts'

/** Key of the advisory lock that serializes the migrations of a database. Any fixed number. */
const migrationLock = 7_305_115_832

export interface MigrateOptions {
  /** Folder of the migrations; that of the program by default. */
  readonly folder?: string
  /** Names of the migrations to run, for a database that is restored at an earlier state; all by default. */
  readonly only?: readonly string[]
  /** Runs each migration in a transaction: calls `run` once, in the transaction of `client`. */
  readonly observe?: (client: PoolClient, run: () => Promise<void>) => Promise<void>
  /** Receives each migration that ran, with its duration. */
  readonly onApplied?: (name: string, durationMs: number) => void
  /** Time for which a statement waits for a lock before the migration is rolled back and tried again; 500 ms by default. */
  readonly lockTimeoutMs?: number
  /** Attempts to get the locks of a migration, with pauses of a second; 300 by default. */
  readonly lockAttempts?: number
}

/**
 * Migrates the database to the newest schema: runs every `migrations/NNNN_name.sql` that has not run yet, in order, each as its first
 * line says (`migrationModes`). Several processes may call it at the same time, while programs of the former version serve: a migration
 * waits for a lock for half a second, during which statements on the table wait behind it, and then tries again. Returns the names of
 * the migrations that ran.
 * @throws Error if the database has a migration that this version does not have, one whose file was changed since it ran, or
 * only some of the migrations from before version 0.1.0; the error of PostgreSQL if a migration fails or never gets its locks
 */
export async function migrate(pool: Pool, options: MigrateOptions = {}): Promise<string[]> {
  await ensureRole(pool, 'groundwork_app')
  await ensureRole(pool, 'groundwork_identity')
  const all = await readMigrations(options.folder)
  const { only, onApplied } = options
  const migrations = only === undefined ? all : all.filter(({ name }) => only.includes(name))
  const applied: string[] = []
  while (true) {
    const begin = performance.now()
    const next = await applyNext(pool, migrations, options)
    if (next === undefined) return applied
    if (next.byOther) continue
    onApplied?.(next.name, performance.now() - begin)
    applied.push(next.name)
  }
}

/** Returns the migrations of the program in order. */
export async function readMigrations(folder = packageFile('db/migrations')): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Pause before a lock is requested again. */
const retryMs = 1000
const lockNotAvailable = '55P03'

interface Applied {
  readonly name: string
  /** Whether another program has run it, while this one waited. */
  readonly byOther: boolean
}

/** Returns the next migration after it has run; undefined if none is left. */
async function applyNext(pool: Pool, migrations: readonly Migration[], options: MigrateOptions): Promise<Applied | undefined> {
  const { observe = (_client, run) => run(), lockTimeoutMs = 500, lockAttempts = 300 } = options
  for (let attempt = 1; ; attempt += 1) {
    try {
      const next = await ownerTransaction(pool, async (client) => {
        await client.query(`select pg_advisory_xact_lock(${migrationLock})`)
        const found = await findNext(client, migrations)
        if (found === undefined || modeOf(found) !== 'transaction') return found
        await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
        await observe(client, async () => {
          await client.query(found.sql)
        })
        await record(client, found)
        return found
      })
      if (next === undefined) return undefined
      return { name: next.name, byOther: modeOf(next) !== 'transaction' && !(await applyInSteps(pool, next, lockTimeoutMs)) }
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable || attempt >= lockAttempts) throw error
      await setTimeout(retryMs)
    }
  }
}

/** Returns the first migration that has not run. */
async function findNext(client: PoolClient, migrations: readonly Migration[]): Promise<Migration | undefined> {
  await client.query(`
    create table if not exists migration (name text primary key, applied_at timestamptz not null default now());
    alter table migration add column if not exists sha256 text`)
  const before = await readApplied(client)
  const done = (await replaceFormerMigrations(client, before, migrations)) ? await readApplied(client) : before
  const unknown = [...done.keys()].filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.length > 0) throw new Error(`The database was made by a newer Groundwork: it has ${unknown.join(', ')}.`)
  for (const { name, sha256 } of migrations) {
    const stored = done.get(name)
    if (typeof stored === 'string' && stored !== sha256) {
      throw new Error(`The migration ${name} was changed after it ran on this database. Restore the released file.`)
    }
    // Databases of versions that stored no checksum get it once.
    if (stored === null) await client.query('update migration set sha256 = $2 where name = $1', [name, sha256])
  }
  return migrations.find(({ name }) => !done.has(name))
}

async function readApplied(client: PoolClient): Promise<Map<string, string | null>> {
  const { rows } = await client.query<{ name: string; sha256: string | null }>('select name, sha256 from migration')
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]))
}

/**
 * Creates a role without a login. Requests of organizations run as `groundwork_app` and the sign-in library as
 * `groundwork_identity`. Neither owns anything, so neither can bypass row-level security, regardless of the role of the
 * connection. Roles belong to the whole server, so two databases may create them at the same time.
 */
async function ensureRole(pool: Pool, role: 'groundwork_app' | 'groundwork_identity'): Promise<void> {
  await pool.query(`do $$ begin
    if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
  exception when duplicate_object or unique_violation then null; end $$`)
  await pool.query(`do $$ begin
    perform pg_advisory_xact_lock(${migrationLock});
    if not pg_has_role(current_user, '${role}', 'member') then execute format('grant ${role} to %I', current_user); end if;
  exception when internal_error then null; end $$`)
}
