import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareCluster } from './cluster.ts'
import { EngineLost, startEngine, type Engine } from './engine.ts'
import { Gateway } from './gateway.ts'
import { temporaryFolder } from './testing.ts'

let dataDir: string
let gateway: Gateway
interface Device {
  promise: Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}
/** The promise that the next commits wait for; null for the device itself. */
let device: Device | null = null

beforeAll(async () => {
  dataDir = await temporaryFolder()
  await prepareCluster(dataDir)
  const start = async (onLost: (error: EngineLost) => void): Promise<Engine> => {
    const engine = await startEngine({ dataDir, log: () => undefined }, onLost)
    return {
      parameters: engine.parameters,
      get counters() {
        return engine.counters
      },
      execute: (bytes, timeoutMs) => engine.execute(bytes, timeoutMs),
      flushed: () => device?.promise ?? engine.flushed(),
      close: (timeoutMs) => engine.close(timeoutMs),
      terminate: () => engine.terminate(),
    }
  }
  gateway = new Gateway({ start, statementTimeoutMs: 60_000, waitMs: 30_000, idleTransactionMs: 60_000, log: () => undefined })
  await gateway.open()
  const connection = await client()
  await connection.query('create table kept (id int)')
  await connection.end()
})
afterAll(async () => {
  await gateway.close()
  await rm(join(dataDir, '..'), { recursive: true, force: true })
})

async function client(): Promise<pg.Client> {
  // Statements are sent without waiting for the answer to the one before.
  const config: pg.ClientConfig & { pipeline: true } = { stream: () => gateway.connect(), pipeline: true }
  const connection = new pg.Client(config)
  // Emitted when the gateway ends the connection; statements report their own errors.
  connection.on('error', () => undefined)
  await connection.connect()
  return connection
}

/** A device that takes its time until `resolve` or `reject`. */
function slowDevice(): Device {
  let [resolve, reject]: [Device['resolve'], Device['reject']] = [() => undefined, () => undefined]
  const promise = new Promise<void>((...settle) => ([resolve, reject] = settle))
  return (device = { promise, resolve, reject })
}

/** Whether it is settled once everything that can be answered now has been. */
async function isSettled(answer: Promise<unknown>): Promise<boolean> {
  let settled = false
  void Promise.allSettled([answer]).then(() => (settled = true))
  const other = await client()
  await other.query('begin')
  await other.query('select 1')
  void other.query('rollback').catch(() => undefined)
  return settled
}

it('while a commit is flushed the session goes on, and no end of a transaction that could rest on it is answered', async () => {
  const [writer, reader, other] = [await client(), await client(), await client()]
  await other.query('listen news')
  const heard = new Promise((resolve) => other.on('notification', resolve))
  const { resolve } = slowDevice()
  const written = writer.query('insert into kept values (1); notify news')
  await reader.query('begin')
  expect((await reader.query('select id from kept')).rows).toEqual([{ id: 1 }])
  const ended = reader.query('commit')
  const read = other.query('select count(*)::int as kept from kept')
  for (const answer of [written, ended, read, heard]) expect(await isSettled(answer)).toBe(false)
  device = null
  resolve()
  await Promise.all([written, ended, heard])
  expect((await read).rows).toEqual([{ kept: 1 }])
  await Promise.all([writer, reader, other].map((each) => each.end()))
})

it('answers of a connection keep their order', async () => {
  const connection = await client()
  const { resolve } = slowDevice()
  const order: string[] = []
  const asked = ['insert into kept values (2)', 'begin', 'select 1'].map((sql) => connection.query(sql).then(() => order.push(sql)))
  await pause(100)
  expect(order).toEqual([])
  device = null
  resolve()
  await Promise.all(asked)
  expect(order).toEqual(['insert into kept values (2)', 'begin', 'select 1'])
  await connection.query('rollback')
  await connection.end()
})

it('a commit of which nobody knows whether it is kept is an error, and ends the connection', async () => {
  const connection = await client()
  const ended = new Promise((resolve) => connection.once('end', resolve))
  const { reject } = slowDevice()
  const written = connection.query('insert into kept values (3)')
  expect(await isSettled(written)).toBe(false)
  device = null
  reject(new EngineLost('crash', 'the disk failed'))
  await expect(written).rejects.toMatchObject({ code: '57P02' })
  await ended
})
