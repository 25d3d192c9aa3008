import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { packageFile } from '../lib/entry.ts'
import { replaceFormerMigrations } from './former-migrations.ts'
import { ownerTransaction } from './owner-transaction.ts'

/** Key of the advisory lock that serializes the migrations of a database. Any fixed number. */
const migrationLock = 7_305_115_832

export interface MigrateOptions {
  /** Folder of the migrations; that of the program by default. */
  readonly folder?: string
  /** Names of the migrations to run, for a database that is restored at an earlier state; all by default. */
  readonly only?: readonly string[]
}

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly sha256: string
}

/**
 * Migrates the database to the newest schema: runs every `migrations/NNNN_name.sql` that has not run yet, in order, each in its
 * own transaction. Several processes may call it at the same time. Returns the names of the migrations that ran.
 * @throws Error if the database has a migration that this version does not have, one whose file was changed since it ran, or
 * only some of the migrations from before version 0.1.0
 */
export async function migrate(pool: Pool, { folder, only }: MigrateOptions = {}): Promise<string[]> {
  await ensureRole(pool, 'groundwork_app')
  await ensureRole(pool, 'groundwork_identity')
  const all = await readMigrations(folder)
  const migrations = only === undefined ? all : all.filter(({ name }) => only.includes(name))
  const applied: string[] = []
  while (true) {
    const name = await applyNext(pool, migrations)
    if (name === undefined) return applied
    applied.push(name)
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

function applyNext(pool: Pool, migrations: readonly Migration[]): Promise<string | undefined> {
  return ownerTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`)
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
    const next = migrations.find(({ name }) => !done.has(name))
    if (next !== undefined) {
      await client.query(next.sql)
      await client.query('insert into migration (name, sha256) values ($1, $2)', [next.name, next.sha256])
    }
    return next?.name
  })
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
