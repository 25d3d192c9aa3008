import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client, codeOf, openTemporary, type TestDatabase } from './testing.ts'

const busyFor = (seconds: number): string =>
  `do $$ declare began timestamptz := clock_timestamp(); begin while clock_timestamp() < began + interval '${seconds} s' loop end loop; end $$`
const RUNAWAY = 'select count(*) from generate_series(1, 1000000000000)'

let test: TestDatabase

beforeAll(async () => {
  test = await openTemporary({ statementTimeoutMs: 1500, waitMs: 20_000 })
  await test.pool.query('create table survivor (id int primary key)')
})
afterAll(() => test.close())

describe('a statement that runs too long', () => {
  it('is ended; everybody else is served, and what connections had set up is there again', async () => {
    const listener = await client(test.db, { options: '-c work_mem=12MB' })
    const heard = new Promise((resolve) => listener.on('notification', (message) => resolve(message.payload)))
    await listener.query('listen news')
    await listener.query("set timezone = 'Asia/Tokyo'")
    const named = { name: 'named', text: 'select $1::int + 1 as next', values: [1] }
    await listener.query(named)
    await test.pool.query('insert into survivor values (1)')

    const runaway = codeOf(test.pool.query(RUNAWAY))
    const waiting = test.pool.query<{ id: number }>('select id from survivor')
    expect(await runaway).toBe('57014')
    expect((await waiting).rows).toEqual([{ id: 1 }])
    expect((await listener.query(named)).rows).toEqual([{ next: 2 }])
    const state = "select current_setting('work_mem') as mem, current_setting('timezone') as zone"
    expect((await listener.query(state)).rows).toEqual([{ mem: '12MB', zone: 'Asia/Tokyo' }])
    await test.pool.query("notify news, 'still here'")
    expect(await heard).toBe('still here')
    await listener.end()
  })

  it('takes its own transaction with it: nothing of it is kept, nothing runs outside of it', async () => {
    const one = await client(test.db)
    await one.query('begin')
    await one.query('insert into survivor values (2)')
    expect(await codeOf(one.query(RUNAWAY))).toBe('57014')
    expect(await codeOf(one.query('insert into survivor values (3)'))).toBe('25P02')
    expect((await one.query('commit')).command).toBe('ROLLBACK')
    expect((await one.query('select id from survivor where id > 1')).rows).toEqual([])
    await one.end()
  })

  it('may be allowed longer for one transaction', async () => {
    const one = await client(test.db)
    await one.query("begin; set local statement_timeout = '1min'")
    expect(await codeOf(one.query(busyFor(2)))).toBe('no error')
    await one.query('commit')
    await one.end()
  })

  it('may be allowed longer as the connection is made', async () => {
    const patient = await client(test.db, { statement_timeout: 60_000 })
    expect(await codeOf(patient.query(busyFor(2)))).toBe('no error')
    await patient.end()
  })
})

describe('an engine that crashes', () => {
  // Deeper than any stack: the server's own measure does not see what the thread needs for each level.
  const CRASH = "select repeat('[', 3000000)::jsonb"

  it('is opened again, and its callers get an answer', async () => {
    const [idle, patient] = await Promise.all([client(test.db), client(test.db, { statement_timeout: 60_000 })])
    await idle.query({ name: 'kept', text: 'select 1 as one' })
    expect(await Promise.all([codeOf(patient.query(CRASH)), codeOf(test.pool.query('select 1'))])).toEqual(['57P02', 'no error'])
    expect((await idle.query({ name: 'kept', text: 'select 1 as one' })).rows).toEqual([{ one: 1 }])
    await Promise.all([idle.end(), patient.end()])
  })
})

describe('deep nesting', () => {
  it.each([
    "select (repeat('[', 20000) || repeat(']', 20000))::jsonb is not null as ok",
    `select ${'not '.repeat(3000)} true is not null as ok`,
  ])('does not crash the engine: %.30s', async (sql) => {
    expect(await codeOf(test.pool.query(sql))).toBe('no error')
  })

  it('too deep for the server is refused by it', async () => {
    expect(await codeOf(test.pool.query(`select ${'1+'.repeat(20_000)}1`))).toBe('54001')
  })
})

describe('the event loop', () => {
  it('stays free while a long statement runs', async () => {
    const patient = await client(test.db, { statement_timeout: 60_000 })
    const attempts: number[] = []
    for (let attempt = 0; attempt < 3 && (attempts.at(-1) ?? Infinity) >= 20; attempt++) {
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      await patient.query(busyFor(1))
      delay.disable()
      attempts.push(delay.percentile(99) / 1e6)
    }
    expect(Math.min(...attempts)).toBeLessThan(20)
    await patient.end()
  })
})
