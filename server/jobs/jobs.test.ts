import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { createNotifications } from '../db/notifications.ts'
import { newId } from '../lib/ids.ts'
import { reportingTo } from '../lib/loop-health.ts'
import { copyOfTemplate } from '../testing/template.ts'
import { openJobs, type Handlers, type Job, type Jobs, type Queue } from './jobs.ts'

const queue: Queue = { name: 'test-work', retryLimit: 2, retryDelaySeconds: 1, leaseSeconds: 10, timeLimitSeconds: 60 }
const organizationId = newId()
let store: Awaited<ReturnType<typeof copyOfTemplate>>
const errors: string[] = []
const onError = (error: Error): unknown => errors.push(error.message)
async function open(works: boolean, name: string): Promise<Jobs> {
  const notifications = createNotifications(store.database.pool, reportingTo(onError))
  const worker = works ? { notifications } : null
  const jobs = await openJobs(store.database.pool, { queues: [{ ...queue, name }], worker, onError })
  return { ...jobs, stop: () => jobs.stop().then(() => notifications.close()) }
}

beforeAll(async () => {
  store = await copyOfTemplate({ serverUrl: inject('serverUrl'), embeddedTemplate: inject('embeddedTemplate') })
  await store.database.pool.query(`insert into organization (id, name, created_at) values ($1, 'Test', now())`, [organizationId])
})
afterAll(() => store.close())

const enqueue = (jobs: Jobs, name: string, data: object): Promise<void> =>
  store.database.transaction(organizationId, (trx) => jobs.enqueue(trx, { ...queue, name }, data))

/** Collects the arguments of a handler, and lets a test wait for a number of calls. */
function recorder<T>() {
  const seen: T[] = []
  let check = (): void => undefined
  return {
    seen,
    add(value: T) {
      seen.push(value)
      check()
    },
    reached: (count: number) =>
      new Promise<void>((resolve) => {
        check = () => seen.length >= count && resolve()
        check()
      }),
  }
}

test('a job is kept with the transaction that adds it, and gone when that is rolled back', async () => {
  const jobs = await open(true, 'kept')
  const done = recorder<number>()
  jobs.handle<{ n: number }>(
    { ...queue, name: 'kept' },
    { work: async ({ data }) => done.add(data.n), abandoned: async () => undefined },
    { concurrency: 2 },
  )
  await expect(
    store.database.transaction(organizationId, async (trx) => {
      await jobs.enqueue(trx, { ...queue, name: 'kept' }, { n: 1 })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  for (let n = 2; n <= 40; n += 1) await enqueue(jobs, 'kept', { n })
  await done.reached(39)
  await jobs.stop()
  expect(done.seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 39 }, (_, index) => index + 2))
})

test('a failing job is tried again, then given up with its data', async () => {
  const jobs = await open(true, 'failing')
  const tries = recorder<number>()
  const abandoned = recorder<object>()
  jobs.handle<{ n: number }>(
    { ...queue, name: 'failing' },
    {
      work: async ({ retries }) => {
        tries.add(retries)
        throw new Error('no luck')
      },
      abandoned: async (data) => abandoned.add(data),
    },
    { concurrency: 1 },
  )
  await enqueue(jobs, 'failing', { n: 7 })
  await abandoned.reached(1)
  await jobs.stop()
  expect(tries.seen).toEqual([0, 1, 2])
  expect(abandoned.seen).toEqual([{ n: 7 }])
  expect(errors).toContain('no luck')
})

test('a job that a killed run held is taken up again after releaseHeld', async () => {
  const first = await open(true, 'held')
  const started = recorder<Job<{ n: number }>>()
  const hang = async (job: Job<{ n: number }>): Promise<void> => {
    started.add(job)
    await new Promise((_, reject) => job.signal.addEventListener('abort', () => reject(job.signal.reason as Error)))
  }
  first.handle<{ n: number }>({ ...queue, name: 'held' }, { work: hang, abandoned: async () => undefined }, { concurrency: 1 })
  await enqueue(first, 'held', { n: 1 })
  await started.reached(1)
  await first.releaseHeld()
  await started.reached(2)
  expect(started.seen.map(({ data, retries }) => [data.n, retries])).toEqual([
    [1, 0],
    [1, 1],
  ])
  await first.stop()
  expect(started.seen.every(({ signal }) => signal.aborted)).toBe(true)
}, 30_000)

test('a job waits for thousands of years, and is kept when nobody works for years after that', async () => {
  const jobs = await open(false, 'patient')
  const { pool } = store.database
  await store.database.transaction(organizationId, (trx) =>
    jobs.enqueue(trx, { ...queue, name: 'patient' }, { n: 1 }, { delaySeconds: 7900 * 365 * 86_400 }),
  )
  const boss = new PgBoss({ db: { executeSql: (text, values) => pool.query(text, values) }, schedule: false, supervise: false })
  await boss.start()
  /** Jobs that pg-boss keeps and hands out after this time. */
  const after = async (years: number): Promise<object[]> => {
    await pool.query(
      `update pgboss.job set start_after = start_after - $1::interval,
        keep_until = keep_until - $1::interval where name = 'patient'`,
      [`${years} years`],
    )
    await pool.query(`update pgboss.queue set maintain_on = null where name = 'patient'`)
    await boss.supervise('patient')
    return boss.fetch('patient')
  }
  expect(await after(7800)).toEqual([])
  expect(await after(150)).toMatchObject([{ data: { n: 1 } }])
  await boss.stop({ graceful: false })
  await jobs.stop()
})

test('a group that holds every slot leaves a spare one to who holds none', async () => {
  const jobs = await open(true, 'spare')
  const started = recorder<string>()
  const ends = new Map<string, () => void>()
  jobs.handle<{ name: string }>(
    { ...queue, name: 'spare' },
    {
      work: ({ data: { name } }) => {
        started.add(name)
        return new Promise((end) => ends.set(name, end))
      },
      abandoned: async () => undefined,
    },
    { concurrency: 2, spare: 1 },
  )
  const add = (group: string, names: readonly string[]): Promise<void> =>
    store.database.transaction(organizationId, async (trx) => {
      for (const [at, name] of names.entries()) await jobs.enqueue(trx, { ...queue, name: 'spare' }, { name }, { group, priority: -at })
    })
  await add('a', ['a1', 'a2', 'a3'])
  await started.reached(2)
  await add('b', ['b1', 'b2'])
  await started.reached(3)
  await add('c', ['c1'])
  ends.get('b1')?.()
  await started.reached(4)
  // The spare slot goes to c or b, which hold none, and never to a third job of a.
  expect([started.seen.slice(0, 2).toSorted(), started.seen[2]]).toEqual([['a1', 'a2'], 'b1'])
  expect(started.seen[3]).toMatch(/^[bc]/)
  for (const name of ['a1', 'a2']) ends.get(name)?.()
  await started.reached(6)
  for (const end of ends.values()) end()
  await jobs.stop()
  expect(started.seen.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
})

test('a job whose workers die, one after the other, is given up like one that fails', async () => {
  const { pool } = store.database
  const jobs = await open(false, 'dying')
  await enqueue(jobs, 'dying', { n: 1 })
  // It fetches as a worker that then falls silent, and looks after leases as a live one.
  const boss = new PgBoss({ db: { executeSql: (text, values) => pool.query(text, values) }, schedule: false, supervise: false })
  await boss.start()
  const died = async (): Promise<number | undefined> => {
    await pool.query(`update pgboss.job set start_after = now() where name = 'dying' and state = 'retry'`)
    const [job] = await boss.fetch('dying', { includeMetadata: true })
    await pool.query(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where name = 'dying' and state = 'active'`)
    await pool.query(`update pgboss.queue set monitor_on = null, monitor_claim_on = null where name = 'dying'`)
    await boss.supervise('dying')
    return job?.retryCount
  }
  expect([await died(), await died(), await died(), await died()]).toEqual([0, 1, 2, undefined])
  const abandoned = recorder<object>()
  jobs.handle<{ n: number }>(
    { ...queue, name: 'dying' },
    { work: async () => undefined, abandoned: async (data) => abandoned.add(data) },
    { concurrency: 1 },
  )
  await abandoned.reached(1)
  expect(abandoned.seen).toEqual([{ n: 1 }])
  await boss.stop({ graceful: false })
  await jobs.stop()
}, 60_000)

test('a program that stops hands its jobs back: another takes them at once, and no attempt is counted', async () => {
  const [first, second] = [await open(true, 'handed'), await open(true, 'handed')]
  const begun = recorder<number>()
  const workOf = (name: string): Handlers<{ n: number }> => ({
    async work({ retries, signal }) {
      begun.add(retries)
      if (name === 'second') return
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    },
    abandoned: async () => undefined,
  })
  const patient = { ...queue, name: 'handed', leaseSeconds: 3600 }
  first.handle(patient, workOf('first'), { concurrency: 1 })
  await enqueue(first, 'handed', { n: 1 })
  await begun.reached(1)
  second.handle(patient, workOf('second'), { concurrency: 1 })
  await first.stopWork()
  await enqueue(first, 'handed', { n: 2 })
  await begun.reached(3)
  expect(begun.seen).toEqual([0, 0, 0])
  await first.stop()
  await second.stop()
}, 30_000)

test('work that does not end when it is aborted is handed back while it runs, and reports nothing about the next attempt', async () => {
  const [first, second] = [await open(true, 'stubborn'), await open(true, 'stubborn')]
  const begun = recorder<number>()
  let end = (): void => undefined
  let endNext = (): void => undefined
  const patient = { ...queue, name: 'stubborn', leaseSeconds: 3600 }
  first.handle(
    patient,
    { work: ({ retries }) => new Promise((ended) => ((end = ended), begun.add(retries))), abandoned: async () => undefined },
    { concurrency: 1 },
  )
  await enqueue(first, 'stubborn', { n: 1 })
  await begun.reached(1)
  second.handle(
    patient,
    { work: ({ retries }) => new Promise((ended) => ((endNext = ended), begun.add(retries))), abandoned: async () => undefined },
    { concurrency: 1 },
  )
  const stopped = first.stop()
  await begun.reached(2)
  end()
  await stopped
  const state = async (): Promise<unknown> => (await store.database.pool.query(`select state from pgboss.job where name = 'stubborn'`)).rows
  expect([begun.seen, await state()]).toEqual([[0, 1], [{ state: 'active' }]])
  endNext()
  await second.stop()
  expect(await state()).toEqual([{ state: 'completed' }])
}, 30_000)

test('jobs that carry the name of their handler are dispatched by it, and one of each runs at a time', async () => {
  const outcomes = recorder<string>()
  const notifications = createNotifications(store.database.pool, reportingTo(onError))
  const shared = { ...queue, name: 'shared' }
  const jobs = await openJobs(store.database.pool, {
    queues: [shared],
    names: ['slow', 'quick', 'none'],
    worker: { notifications },
    onError,
    onEnded: (name, outcome) => outcomes.add(`${name} ${outcome}`),
  })
  const seen = recorder<string>()
  let end = (): void => undefined
  const slow: Handlers<{ n: number }> = {
    async work({ data }) {
      seen.add(`slow ${data.n}`)
      await new Promise<void>((resolve) => (end = resolve))
    },
    abandoned: async () => undefined,
  }
  const quick: Handlers<{ n: number }> = { work: async ({ data }) => seen.add(`quick ${data.n}`), abandoned: async () => undefined }
  jobs.dispatch(
    shared,
    new Map([
      ['slow', slow],
      ['quick', quick],
    ]),
  )
  const send = (handler: string, n: number): Promise<void> =>
    store.database.transaction(organizationId, (trx) => jobs.enqueue(trx, shared, { n }, { handler }))
  for (const n of [1, 2]) await send('slow', n)
  for (const n of [1, 2, 3]) await send('quick', n)
  await seen.reached(4)
  await outcomes.reached(3)
  expect(seen.seen.toSorted()).toEqual(['quick 1', 'quick 2', 'quick 3', 'slow 1'])
  expect((await jobs.depths()).map(({ queue: name, waiting, active }) => [name, waiting, active]).toSorted()).toEqual([
    ['none', 0, 0],
    ['quick', 0, 0],
    ['slow', 1, 1],
  ])
  end()
  await seen.reached(5)
  end()
  await outcomes.reached(5)
  expect(outcomes.seen.toSorted()).toEqual([...Array<string>(3).fill('quick completed'), ...Array<string>(2).fill('slow completed')])
  await jobs.stop()
  notifications.close()
})

test('a job of an unknown handler is kept, for a newer program', async () => {
  const shared = { ...queue, name: 'newer' }
  const start = async (): Promise<Jobs> => {
    const notifications = createNotifications(store.database.pool, reportingTo(onError))
    const jobs = await openJobs(store.database.pool, { queues: [shared], worker: { notifications }, onError })
    return { ...jobs, stop: () => jobs.stop().then(() => notifications.close()) }
  }
  const done = recorder<string>()
  const older = await start()
  older.dispatch(shared, new Map([['old', { work: async () => undefined, abandoned: async () => undefined }]]))
  await store.database.transaction(organizationId, (trx) => older.enqueue(trx, shared, { n: 1 }, { handler: 'new' }))
  await vi.waitUntil(() => errors.includes('The queue newer has no handler new.'), { timeout: 120_000 })
  await older.stop()
  const newer = await start()
  const work = async (job: Job<{ n: number }>): Promise<void> => done.add(`${job.data.n} ${job.retries}`)
  newer.dispatch(shared, new Map([['new', { work, abandoned: async () => undefined }]]))
  await done.reached(1)
  expect(done.seen).toEqual(['1 1'])
  await newer.stop()
}, 30_000)
