import { expect, inject, test } from 'vitest'
import pg from 'pg'
import { openJobs } from '../jobs/jobs.ts'
import { queues } from '../queues.ts'
import { copyOfTemplate } from '../testing/template.ts'
import { connectDatabase } from './database.ts'
import { migrate } from './migrate.ts'

test('a migrated database is left as it is, and one of a newer program is refused', async () => {
  const { database, close } = await copyOfTemplate({ serverUrl: inject('serverUrl'), embeddedTemplate: inject('embeddedTemplate') })
  expect(await migrate(database.pool)).toEqual([])
  await database.pool.query(`insert into migration (name) values ('9999_later.sql')`)
  await expect(migrate(database.pool)).rejects.toThrow('made by a newer Groundwork: it has 9999_later.sql')
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
