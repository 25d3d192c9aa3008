import { afterAll, expect, it, vi } from 'vitest'
import { testApp, type Caller } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { newBase, upload } from '../../testing/sources.ts'
import type { ProcessSource } from '../rows/attempt.ts'
import { processSourceQueue } from './queue.ts'

/** No worker runs before the last test, which reads waiting jobs in the order of their start. */
const { app, organization, database, platform } = await testApp({ embedder: letterEmbedder() })

const small = Buffer.from('We open at nine.')

/** Adds texts to a base, all from one upload; gives back how each is called. */
async function add(caller: Caller, base: string, count: number, label: string, bytes = small): Promise<string[]> {
  const storageUrl = await upload(app, caller, bytes)
  const names = Array.from({ length: count }, (_, at) => `${label}${at + 1}`)
  for (const name of names) await caller.call('POST', `/v1/bases/${base}/sources`, { name, type: 'file', storageUrl })
  return names
}

/** Returns the names of the waiting sources in the order of their start. */
async function waiting(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(`
    select source.name from pgboss.job join source on source.id = (data ->> 'sourceId')::uuid
    where job.name = '${processSourceQueue.name}' and state < 'active' order by priority desc, created_on`)
  return rows.map(({ name }) => name)
}

/** As if workers had started the first ones, and were done. */
const serve = (count: number): Promise<unknown> =>
  database.pool.query(
    `update pgboss.job set state = 'completed', started_on = now(), completed_on = now() where id in (
      select id from pgboss.job where name = '${processSourceQueue.name}' and state < 'active' order by priority desc, created_on limit $1)`,
    [count],
  )

it('one source of an organization waits for few of the 200 of another, and those of a knowledge base keep their order', async () => {
  const [a, b] = [await organization(), await organization()]
  const many = await add(a, await newBase(a), 200, 'a')
  await serve(20)
  await add(b, await newBase(b), 1, 'b')
  const order = await waiting()
  expect(order.indexOf('b1')).toBeLessThanOrEqual(2)
  expect(order.filter((name) => name !== 'b1')).toEqual(many.slice(20))
  await serve(1000)
})

it('one source of another knowledge base of the same organization waits for few, too', async () => {
  const a = await organization()
  await add(a, await newBase(a), 50, 'one')
  await add(a, await newBase(a), 3, 'two')
  const order = await waiting()
  expect(order.indexOf('two1')).toBeLessThanOrEqual(4)
  expect(order.indexOf('two3')).toBeLessThanOrEqual(12)
  await serve(1000)
})

it('an organization gets no larger share with many knowledge bases', async () => {
  const [a, b] = [await organization(), await organization()]
  for (let base = 1; base <= 30; base++) await add(a, await newBase(a), 1, `base${base}-`)
  await add(b, await newBase(b), 3, 'b')
  const order = await waiting()
  expect(order.indexOf('b1')).toBeLessThanOrEqual(3)
  expect(order.indexOf('b3')).toBeLessThanOrEqual(7)
  await serve(1000)
})

it('small sources wait less than large ones', async () => {
  const [a, b, c] = [await organization(), await organization(), await organization()]
  await add(a, await newBase(a), 20, 'a')
  const base = await newBase(b)
  await add(b, base, 1, 'large', Buffer.alloc(5_000_000, 'We open at nine. '))
  await add(c, await newBase(c), 1, 'small')
  const order = await waiting()
  expect(order.indexOf('small1')).toBeLessThanOrEqual(2)
  expect(order.indexOf('large1')).toBeGreaterThan(10)
  expect(order.indexOf('large1')).toBeLessThanOrEqual(18)
  await serve(1000)
})

it('an idle organization accumulates neither debt nor credit', async () => {
  const [a, b] = [await organization(), await organization()]
  const [ofA, ofB] = [await newBase(a), await newBase(b)]
  await add(a, ofA, 100, 'past')
  await serve(1000)
  await add(b, ofB, 10, 'b')
  await add(a, ofA, 10, 'a')
  const order = await waiting()
  // Both have had a share of the first half that differs by two at most.
  expect(Math.abs(order.slice(0, 10).filter((name) => name.startsWith('a')).length - 5)).toBeLessThanOrEqual(1)
  await serve(1000)
})

it('a job that waits for a retry keeps its ticket and does not affect the tickets of others', async () => {
  const [a, b] = [await organization(), await organization()]
  await add(a, await newBase(a), 40, 'a')
  await serve(30)
  await database.pool.query(`
    update pgboss.job set state = 'retry', start_after = now() - interval '1 second' where id = (
      select id from pgboss.job where name = '${processSourceQueue.name}' and state = 'completed' order by priority desc limit 1)`)
  await add(b, await newBase(b), 10, 'b')
  const order = await waiting()
  const fresh = order.slice(1)
  expect(Math.abs(fresh.slice(0, 10).filter((name) => name.startsWith('b')).length - 5)).toBeLessThanOrEqual(1)
  await serve(1000)
})

it('exhausted tickets are not an error: jobs then start in order of arrival', async () => {
  const a = await organization()
  const base = await newBase(a)
  await add(a, base, 2, 'a')
  await database.pool.query(`update queue_turn set last = 2147483646 where organization_id = $1`, [a.organizationId])
  await add(a, base, 3, 'late')
  expect(await waiting()).toEqual(['a1', 'a2', 'late1', 'late2', 'late3'])
  await serve(1000)
})

it('concurrent additions to many knowledge bases succeed, each in the order of its tickets', async () => {
  const callers = [await organization(), await organization(), await organization()]
  const bases = await Promise.all(callers.flatMap((caller) => [0, 1].map(async () => ({ caller, base: await newBase(caller) }))))
  await Promise.all(bases.flatMap(({ caller, base }, at) => [0, 1, 2].map((part) => add(caller, base, 5, `${at}-${part}-`))))
  const order = await waiting()
  expect(order).toHaveLength(90)
  for (let at = 0; at < bases.length; at++)
    for (const part of [0, 1, 2]) {
      const names = order.filter((name) => name.startsWith(`${at}-${part}-`))
      expect(names).toEqual([1, 2, 3, 4, 5].map((n) => `${at}-${part}-${n}`))
    }
  await serve(1000)
})

it('workers start jobs in the order of their tickets', async () => {
  const [a, b, c] = [await organization(), await organization(), await organization()]
  await add(a, await newBase(a), 20, 'a')
  await add(b, await newBase(b), 1, 'b')
  await add(c, await newBase(c), 2, 'c')
  const { rows } = await database.pool.query<{ id: string; name: string }>('select id, name from source')
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
  const order = await waiting()
  const started: (string | undefined)[] = []
  const work = async ({ data }: { data: ProcessSource }): Promise<void> => void started.push(nameOf.get(data.sourceId))
  platform.jobs.handle<ProcessSource>(processSourceQueue, { work, abandoned: async () => undefined }, { concurrency: 1 })
  afterAll(() => platform.jobs.stop())
  await vi.waitUntil(() => started.length === 23, { timeout: 120_000 })
  expect(started).toEqual(order)
})
