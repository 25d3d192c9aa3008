import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { packageFile } from '../lib/entry.ts'
import { ownerTransaction } from './owner-transaction.ts'

/** Any fixed number: names the lock under which migrations of one database run one after the other. */
const migrationLock = 7_305_115_832

/**
 * Brings the database to the newest schema: every `migrations/NNNN_name.sql` that has not run yet, in order, each in a
 * transaction of its own. Safe when several processes start at once.
 * @returns names of the migrations that ran now
 */
export async function migrate(pool: Pool): Promise<string[]> {
  await ensureRole(pool, 'groundwork_app')
  await ensureRole(pool, 'groundwork_identity')
  const applied: string[] = []
  while (true) {
    const name = await applyNext(pool)
    if (name === undefined) return applied
    applied.push(name)
  }
}

async function applyNext(pool: Pool): Promise<string | undefined> {
  const folder = packageFile('db/migrations')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return ownerTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`)
    await client.query('create table if not exists migration (name text primary key, applied_at timestamptz not null default now())')
    const { rows } = await client.query<{ name: string }>('select name from migration')
    const done = new Set(rows.map((row) => row.name))
    const unknown = [...done].filter((name) => !files.includes(name))
    if (unknown.length > 0) throw new Error(`the database was made by a newer Groundwork: it has ${unknown.join(', ')}`)
    const next = files.find((name) => !done.has(name))
    if (next !== undefined) {
      await client.query(await readFile(join(folder, next), 'utf8'))
      await client.query('insert into migration (name) values ($1)', [next])
    }
    return next
  })
}

/**
 * Everything an organization asks for runs as `groundwork_app`, and everything that the sign-in library asks for as
 * `groundwork_identity`. Neither owns anything and so neither can bypass row-level security, whoever the connection logs in
 * as. Roles belong to the whole server: two databases may create them at once.
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
