import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openJobs } from '../jobs/jobs.ts'
import { packageFile } from '../lib/entry.ts'
import { queues } from '../queues.ts'
import { copyOfTemplate } from '../testing/template.ts'
import { connectDatabase } from './database.ts'
import { waitForMigrations } from './applied-migrations.ts'
import { migrate } from './migrate.ts'
import { ownerQuery } from './owner-query.ts'

test('a migrated database is left as it is, and one of a newer program is refused', async () => {
  const { database, close } = await copyOfTemplate({ serverUrl: inject('serverUrl'), embeddedTemplate: inject('embeddedTemplate') })
  expect(await migrate(database.pool)).toEqual([])
  await database.pool.query(`insert into migration (name) values ('9999_later.sql')`)
  await expect(migrate(database.pool)).rejects.toThrow('made by a newer Groundwork: it has 9999_later.sql')
  await close()
})

test('a command waits for the migrations of a running program, and names one that does not run', async () => {
  const { database, close } = await copyOfTemplate({ serverUrl: inject('serverUrl'), embeddedTemplate: inject('embeddedTemplate') })
  const query = ownerQuery(database.pool)
  const [last] = await query<{ name: string }>('delete from migration where name = (select max(name) from migration) returning name')
  await expect(waitForMigrations(query, 0)).rejects.toThrow(`still starting: it has not run the migration ${last?.name}`)
  const waiting = waitForMigrations(query)
  await query('insert into migration (name) values ($1)', [last?.name])
  await waiting
  await close()
})

test('a migration whose file was changed since it ran is refused, and a missing checksum is stored', async () => {
  const { database, close } = await copyOfTemplate({ serverUrl: inject('serverUrl'), embeddedTemplate: inject('embeddedTemplate') })
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(packageFile('db/migrations'), folder, { recursive: true })
  await database.pool.query(`update migration set sha256 = null where name like '0001%'`)
  expect(await migrate(database.pool, { folder })).toEqual([])
  const { rows } = await database.pool.query('select count(*) as missing from migration where sha256 is null')
  expect(rows).toEqual([{ missing: 0 }])
  await appendFile(join(folder, '0001_organizations.sql'), '\n-- changed')
  await expect(migrate(database.pool, { folder })).rejects.toThrow('The migration 0001_organizations.sql was changed after it ran')
  await close()
})

test.skipIf(inject('serverUrl') === '')('four programs that start at once make one schema and one set of queues (PostgreSQL)', async () => {
  const name = `migrate_${process.pid}`
  const admin = new pg.Client({ connectionString: inject('serverUrl') })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const connectionString = Object.assign(new URL(inject('serverUrl')), { pathname: `/${name}` }).href
  const databases = Array.from({ length: 4 }, () => connectDatabase({ connectionString }))
  const applied = (await Promise.all(databases.map(({ pool }) => migrate(pool)))).flat()
  expect(applied.length).toBeGreaterThan(2)
  expect(new Set(applied).size).toBe(applied.length)
  const failures: Error[] = []
  const jobs = await Promise.all(
    databases.map(({ pool }) => openJobs(pool, { queues, worker: null, onError: (error) => failures.push(error) })),
  )
  expect(failures).toEqual([])
  await Promise.all(jobs.map((each) => each.stop()))
  await Promise.all(databases.map((database) => database.close()))
  await admin.query(`drop database ${name}`)
  await admin.end()
})
