import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { migrate, readMigrations } from '../db/migrate.ts'
import { modeOf, statementsOf } from '../db/migration-modes.ts'
import { ownerQuery, type OwnerQuery } from '../db/owner-query.ts'
import { packageFile } from '../lib/entry.ts'
import { newId } from '../lib/ids.ts'
import { copyOfTemplate, emptyDatabase } from '../testing/template.ts'
import { blockedBy } from './effects.ts'
import { observeMigrations, type ObservedMigration } from './observe.ts'
import { planMigrations } from './plan.ts'

/** The newest migration from before the rules. */
const lastExempt = '0025_former_secret_key.sql'

const { database, close } = await copyOfTemplate({ serverUrl: inject('serverUrl'), embeddedTemplate: inject('embeddedTemplate') })
const { pool } = database
const query = ownerQuery(pool)
const folder = await mkdtemp(join(tmpdir(), 'groundwork-migrations-'))
await cp(packageFile('db/migrations'), folder, { recursive: true })
afterAll(async () => {
  await close()
  await rm(folder, { recursive: true })
})

let last = 9000
/** Adds a migration to the folder. Returns its name. */
async function add(sql: string): Promise<string> {
  const name = `${(last += 1)}_test.sql`
  await writeFile(join(folder, name), sql)
  return name
}

const appliedNames = async (): Promise<string[]> =>
  (await query<{ name: string }>('select name from migration order by name')).map(({ name }) => name)

const addOrganization = (id: string): Promise<unknown[]> =>
  query(`insert into organization (id, name, slug, created_at) values ($1, 'Upgraded', null, now())`, [id])

/** Runs a migration and returns what it was observed to do. */
async function observe(sql: string): Promise<ObservedMigration> {
  const applied = await appliedNames()
  await add(sql)
  const [observed] = await observeMigrations((options) => migrate(pool, options), applied, folder)
  if (observed === undefined) throw new Error('no migration ran')
  return observed
}

/** Columns that rows of the former version must provide or that its statements name. */
const columns = (of: OwnerQuery) =>
  of<{ name: string; required: boolean }>(
    `select format('%s.%s', a.attrelid::regclass, a.attname) as name,
       a.attnotnull and not a.atthasdef and a.attidentity = '' as required
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
       and n.nspname in ('public', 'identity', 'installation', 'pacing') and c.relname <> 'migration' order by 1`,
  )

describe('the migrations of the repository', () => {
  it('take no lock for long on tables that exist', async () => {
    const planned = await planMigrations((await readMigrations()).map(({ name }) => name).filter((name) => name <= lastExempt))
    expect(planned.length).toBeGreaterThan(1)
    const blocking = planned.flatMap(({ name, effects }) => effects.map((effect) => [name, effect.table, blockedBy(effect)]))
    expect(blocking.filter(([, , found]) => found !== null)).toEqual([])
    expect(blocking).toContainEqual(['0027_quotas.sql', 'source', null])
    await expect(planMigrations(['9999_later.sql'])).rejects.toThrow('migrations that this version does not have: 9999_later.sql')
  })

  it('keep programs of the former version working: they drop no column and require no new one', async () => {
    const fresh = await emptyDatabase({ serverUrl: inject('serverUrl') })
    const former = (await readMigrations()).map(({ name }) => name).filter((name) => name <= lastExempt)
    await migrate(fresh.database.pool, { only: former })
    const before = await columns(ownerQuery(fresh.database.pool))
    await migrate(fresh.database.pool)
    const after = await columns(ownerQuery(fresh.database.pool))
    const [formerNames, names] = [new Set(before.map(({ name }) => name)), new Set(after.map(({ name }) => name))]
    const tableOf = (name: string): string => name.slice(0, name.lastIndexOf('.'))
    const formerTables = new Set(before.map(({ name }) => tableOf(name)))
    expect([...formerNames].filter((name) => !names.has(name))).toEqual([])
    expect(after.filter(({ name, required }) => required && !formerNames.has(name) && formerTables.has(tableOf(name)))).toEqual([])
    await fresh.close()
  })

  it('that create an index concurrently drop an unfinished one first', async () => {
    const unprotected = (await readMigrations()).flatMap((migration) => {
      if (modeOf(migration) !== 'statements') return []
      const statements = statementsOf(migration.sql)
      return statements.filter((statement, at) => {
        const index = /create (?:unique )?index concurrently (\S+)/i.exec(statement)?.[1]
        return index !== undefined && statements[at - 1] !== `drop index concurrently if exists ${index}`
      })
    })
    expect(unprotected).toEqual([])
  })
})

describe('a migration that keeps requests waiting is found:', () => {
  it.each([
    ['an index', 'create index upgrade_test on source (name)', 'source', 'writes wait while all rows are read'],
    [
      'a volatile default',
      'alter table contact add column upgrade_test uuid not null default gen_random_uuid()',
      'contact',
      'requests wait while the table is written again',
    ],
    ['a new type', 'alter table upload alter column size_bytes type numeric', 'upload', 'requests wait while the table is written again'],
    ['SET NOT NULL', 'alter table source alter column title set not null', 'source', 'requests wait while all rows are read'],
    [
      'a check',
      `alter table source add constraint upgrade_test check (chunks_count >= 0)`,
      'source',
      'requests wait while all rows are read',
    ],
    [
      'a foreign key',
      `alter table source add constraint upgrade_test_key foreign key (organization_id) references organization (id)`,
      'source',
      'writes wait while all rows are read',
    ],
    ['a change of all rows', 'update contact set email = email', 'contact', 'writes of the changed rows wait while all rows are read'],
  ])('%s', async (_kind, sql, table, found) => {
    const { effects } = await observe(sql)
    expect(effects.map((effect) => [effect.table, blockedBy(effect)])).toContainEqual([table, found])
  })

  it.each([
    ['a column with a constant default', `alter table contact add column upgrade_constant text not null default 'x'`],
    ['a check that is not validated', `alter table contact add constraint upgrade_check check (name <> 'x') not valid`],
    ['a new table with an index', 'create table upgrade_table (id uuid primary key, name text); create index on upgrade_table (name)'],
    ['a trigger', 'create trigger upgrade_trigger before update on contact for each row execute function keep_updated_at()'],
  ])('not %s', async (_kind, sql) => {
    const { effects } = await observe(sql.replace('name <>', 'email <>'))
    expect(effects.map(blockedBy).filter((found) => found !== null)).toEqual([])
  })
})

describe('a migration in steps', () => {
  it('creates an index concurrently', async () => {
    const { mode, effects } = await observe(
      '-- mode: statements\n-- A comment; with a semicolon.\ndrop index concurrently if exists upgrade_index;\ncreate index concurrently upgrade_index\n  on contact (created_at);\n',
    )
    expect([mode, effects]).toEqual(['statements', []])
    expect(await query(`select indisvalid as valid from pg_index where indexrelid = 'upgrade_index'::regclass`)).toEqual([{ valid: true }])
  })

  it('changes rows in batches until none is left', async () => {
    await query('create table upgrade_rows (id integer primary key, done boolean not null default false)')
    await query('insert into upgrade_rows select generate_series(1, 25)')
    const { mode } = await observe(
      '-- mode: batches\nupdate upgrade_rows set done = true where id in (select id from upgrade_rows where not done limit 10);\n',
    )
    expect(mode).toBe('batches')
    const [rows] = await query(
      `select count(*) filter (where done)::integer as done, count(distinct xmin::text)::integer as transactions from upgrade_rows`,
    )
    expect(rows).toEqual({ done: 25, transactions: 3 })
  })

  it('runs for each organization in a transaction of its own', async () => {
    const ids = [newId(), newId(), newId()].toSorted()
    for (const id of ids) await addOrganization(id)
    await query('create table upgrade_seen (organization_id uuid primary key)')
    const { mode } = await observe('-- mode: organizations\ninsert into upgrade_seen values ($1) on conflict do nothing;\n')
    expect(mode).toBe('organizations')
    const seen = await query<{ id: string; transaction: string }>(
      'select organization_id as id, xmin::text as transaction from upgrade_seen order by 1',
    )
    expect(seen.map(({ id }) => id)).toEqual((await query<{ id: string }>('select id from organization order by 1')).map(({ id }) => id))
    expect(seen.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    expect(new Set(seen.map(({ transaction }) => transaction)).size).toBe(seen.length)
  })

  it('counts the use of each organization alone', async () => {
    const organizationId = newId()
    await addOrganization(organizationId)
    const upload = `insert into upload (organization_id, id, file_name, content_type, size_bytes, storage_key, expires_at, created_at)
      values ($1, $2, 'a', 'text/plain', 7, 'k', now(), now())`
    await query(upload, [organizationId, newId()])
    await query('delete from organization_use where organization_id = $1', [organizationId])
    await query(`delete from migration where name = '0028_count_use.sql'`)
    expect(await migrate(pool, { folder })).toEqual(['0028_count_use.sql'])
    const used = await query('select storage_bytes::integer as bytes from organization_use where organization_id = $1', [organizationId])
    expect(used).toEqual([{ bytes: 7 }])
    const count = (await readMigrations()).find(({ name }) => name === '0028_count_use.sql')
    expect(count && modeOf(count)).toBe('organizations')
  })

  it('runs again from its start if it failed', async () => {
    const name = await add('-- mode: statements\ncreate table if not exists upgrade_once (id integer);\nselect 1 from missing_table;\n')
    await expect(migrate(pool, { folder })).rejects.toThrow('missing_table')
    await query('create table missing_table (id integer)')
    expect(await migrate(pool, { folder })).toEqual([name])
  })

  it('with an unknown mode is refused', async () => {
    const name = await add('-- mode: quickly\nselect 1;\n')
    await expect(migrate(pool, { folder })).rejects.toThrow(`The migration ${name} has an unknown mode: -- mode: quickly`)
    await rm(join(folder, name))
  })
})

it.skipIf(inject('serverUrl') === '')('a migration that waits for a lock lets other statements pass (PostgreSQL)', async () => {
  const name = await add('alter table contact add column upgrade_waited text;')
  const reader = await pool.connect()
  await reader.query('begin; select from contact')
  let applied: string[] | null = null
  const migrating = migrate(pool, { folder, lockTimeoutMs: 50 }).then((names) => (applied = names))
  const failedWaits = async (): Promise<boolean> => {
    const [found] = await query<{ waits: boolean }>(
      `select exists (select from pg_locks where relation = 'contact'::regclass and mode = 'AccessExclusiveLock' and not granted) as waits`,
    )
    return found?.waits === true
  }
  await expect.poll(failedWaits, { interval: 5 }).toBe(true)
  await expect.poll(failedWaits, { interval: 5 }).toBe(false)
  await query('select count(*) from contact')
  expect(applied).toBeNull()
  await reader.query('commit')
  reader.release()
  expect(await migrating).toEqual([name])
})
