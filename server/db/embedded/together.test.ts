import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEngine } from './engine.ts'
import { Gateway } from './gateway.ts'
import { prepareCluster } from './cluster.ts'
import { codeOf, temporaryFolder } from './testing.ts'

// Statements that a transaction sends without waiting for answers run in one exchange with the engine's thread.

let folder: string
let gateway: Gateway
let pool: pg.Pool
let exchanges = 0

beforeAll(async () => {
  folder = await temporaryFolder()
  await mkdir(folder, { recursive: true })
  await prepareCluster(folder)
  gateway = new Gateway({
    async start(onLost) {
      const engine = await startEngine({ dataDir: folder, log: () => undefined }, onLost)
      const execute = engine.execute.bind(engine)
      engine.execute = (bytes, timeoutMs) => {
        exchanges += 1
        return execute(bytes, timeoutMs)
      }
      return engine
    },
    statementTimeoutMs: 60_000,
    waitMs: 10_000,
    idleTransactionMs: 60_000,
    log: () => undefined,
  })
  await gateway.open()
  const settings = { stream: () => gateway.connect(), max: 4, pipeline: true }
  pool = new pg.Pool(settings)
  await pool.query('create table item (id int primary key)')
})
afterAll(async () => {
  await pool.end()
  await gateway.close()
  await rm(join(folder, '..'), { recursive: true, force: true })
})

/** Sends the texts at once on one connection and returns how each ended, and the number of exchanges. */
async function together(...texts: string[]): Promise<{ ends: string[]; exchanges: number }> {
  const client = await pool.connect()
  await client.query('begin')
  exchanges = 0
  const ends = await Promise.all(
    texts.map((text) =>
      client.query({ text, ...(text.startsWith('insert') && { name: text }) }).then(
        ({ command }) => command,
        (error: { code: string }) => error.code,
      ),
    ),
  )
  const used = exchanges
  client.release()
  return { ends, exchanges: used }
}
const ids = async (): Promise<number[]> => (await pool.query<{ id: number }>('select id from item order by id')).rows.map(({ id }) => id)

it('runs statements and the commit of a transaction together', async () => {
  expect(
    await together('insert into item values (1)', 'savepoint a', 'insert into item values (2)', 'release savepoint a', 'commit'),
  ).toEqual({
    ends: ['INSERT', 'SAVEPOINT', 'INSERT', 'RELEASE', 'COMMIT'],
    exchanges: 1,
  })
  expect(await ids()).toEqual([1, 2])
})

it('answers each statement behind an error, and rolls back', async () => {
  expect(await together('insert into item values (3)', 'insert into item values (1)', 'select 1', 'commit')).toEqual({
    ends: ['INSERT', '23505', '25P02', 'ROLLBACK'],
    exchanges: 1,
  })
  expect(await ids()).toEqual([1, 2])
})

it('ends with the transaction: what follows is another one', async () => {
  expect(await together('insert into item values (4)', 'commit', 'insert into item values (5)')).toEqual({
    ends: ['INSERT', 'COMMIT', 'INSERT'],
    exchanges: 2,
  })
})

it('leaves refused statements to run alone', async () => {
  expect(await together('insert into item values (6)', 'select pg_advisory_lock(1)', 'rollback')).toEqual({
    ends: ['INSERT', '0A000', 'ROLLBACK'],
    exchanges: 3,
  })
})

it('keeps transactions of several connections apart', async () => {
  const add = (from: number) => together(`insert into item values (${from})`, `insert into item values (${from + 1})`, 'commit')
  await Promise.all([10, 20, 30, 40].map(add))
  expect(await ids()).toEqual([1, 2, 4, 5, 10, 11, 20, 21, 30, 31, 40, 41])
})

it('tells every statement when the engine is lost', async () => {
  const client = await pool.connect()
  await client.query(`begin; set local statement_timeout = '300ms'`)
  const answers = await Promise.all([
    codeOf(client.query('select pg_sleep(60)')),
    codeOf(client.query('select 1')),
    codeOf(client.query('commit')),
  ])
  client.release(true)
  expect(answers).toEqual(['57014', '57014', expect.any(String)])
  expect(await ids()).toContain(41)
})
