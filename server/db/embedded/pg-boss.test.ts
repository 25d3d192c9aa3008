import { afterAll, beforeAll, expect, it } from 'vitest'
import { PgBoss } from 'pg-boss'
import { openTemporary, type TestDatabase } from './testing.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTemporary()
})
afterAll(() => test.close())

it('pg-boss runs unchanged: queues, fetch, workers woken by NOTIFY', async () => {
  const boss = new PgBoss({
    schema: 'boss_test',
    useListenNotify: true,
    supervise: false,
    schedule: false,
    db: { executeSql: (text, values) => test.pool.query(text, values) },
  })
  const errors: unknown[] = []
  boss.on('error', (error) => errors.push(error))
  await boss.start()
  await boss.createQueue('work')
  await boss.createQueue('drawer')
  await boss.send('drawer', { n: 1 })
  const [fetched] = await boss.fetch<{ n: number }>('drawer')
  expect(fetched?.data).toEqual({ n: 1 })
  if (fetched) await boss.complete('drawer', fetched.id)
  const done: number[] = []
  await boss.work<{ n: number }>('work', { batchSize: 10, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    done.push(...jobs.map((job) => job.data.n))
  })
  await Promise.all(Array.from({ length: 50 }, (_, n) => boss.send('work', { n })))
  await expect.poll(() => done.length, { timeout: 120_000 }).toBe(50)
  expect(new Set(done).size).toBe(50)
  await boss.stop({ graceful: true })
  expect(errors).toEqual([])
})
