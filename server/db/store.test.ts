import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from './store.ts'

const databaseUrl = process.env['TEST_DATABASE_URL']

it.skipIf(databaseUrl === undefined)('opens at most the given number of connections to a server', async () => {
  const store = await openStore({ dataDir: '', databaseUrl, connections: 3, log: pino({ level: 'silent' }) })
  onTestFinished(() => store.close())
  const { pool } = store.database
  await Promise.all(Array.from({ length: 10 }, () => pool.query('select pg_sleep(0.05)')))
  expect(pool.totalCount).toBe(3)
})
