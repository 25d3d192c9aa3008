import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Hold } from './holds.ts'
import { warnOfLongHolds } from './long-holds.ts'
import { codeOf, openTemporary, type TestDatabase } from './testing.ts'

let test: TestDatabase
let holds: Hold[] = []

beforeAll(async () => {
  test = await openTemporary()
  await test.pool.query('select 1')
  test.db.observeHolds((hold) => holds.push(hold))
})
afterAll(() => test.close())

/** Runs the work alone on the database and returns the holds that it caused. */
async function holdsOf(work: () => Promise<unknown>): Promise<Hold[]> {
  holds = []
  await work()
  return holds
}

it('a transaction is one hold, with its statements without values and the time that its owner left the session idle', async () => {
  const connection = await test.pool.connect()
  const found = await holdsOf(async () => {
    await connection.query("begin; set local app.secret = 'it''s mine'")
    await pause(60)
    await connection.query('select\n  $1::int', [1])
    await connection.query('commit')
  })
  connection.release()
  expect(found.map(({ statements }) => statements)).toEqual([['begin; set local app.secret = ?', 'select $1::int', 'commit']])
  const [hold] = found
  expect(hold?.idleMs).toBeGreaterThan(50)
  expect(hold?.engineMs).toBeGreaterThan(0)
  expect(hold?.ms).toBeGreaterThan((hold?.idleMs ?? 0) + (hold?.engineMs ?? 0) - 1)
})

it('a statement without a transaction is a hold of its own, whether it fails or not', async () => {
  const connection = await test.pool.connect()
  const found = await holdsOf(async () => {
    await connection.query('select 2')
    expect(await codeOf(connection.query('select 1 / 0'))).toBe('22012')
  })
  connection.release()
  expect(found.map(({ statements }) => statements)).toEqual([['select 2'], ['select 1 / 0']])
})

it('holds of more than 250 ms are logged with their statements, at most one in ten seconds', () => {
  const lines: object[] = []
  let time = 0
  const onHold = warnOfLongHolds(
    (_level, _message, detail) => lines.push(detail ?? {}),
    () => time,
  )
  const hold = (ms: number): void => onHold({ ms, engineMs: 1, syncMs: 0, idleMs: 2, statements: ['select 1'] })
  for (const ms of [250, 251, 900, 800]) hold(ms)
  time = 10_001
  hold(300)
  expect(lines).toEqual([
    { ms: 251, engineMs: 1, syncMs: 0, idleMs: 2, unreported: 0, statements: ['select 1'] },
    { ms: 300, engineMs: 1, syncMs: 0, idleMs: 2, unreported: 2, statements: ['select 1'] },
  ])
})
