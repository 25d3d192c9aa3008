import { expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { hostSlotsTable } from './slots-table.ts'

const { organization, database } = await testApp()
// Much longer than any test, so elapsed time has no effect.
const gapMs = 3_600_000
const hours = (ms: number): number => Math.round(ms / gapMs)

it('grants one slot at a time per host', async () => {
  const [one, other] = [hostSlotsTable((await organization()).ctx), hostSlotsTable((await organization()).ctx)]
  const waits = await Promise.all([one, other, one, other].map((turns) => turns.take('a.example', gapMs)))
  expect(waits.map(hours).toSorted()).toEqual([0, 1, 2, 3])
  expect(hours(await one.take('b.example', gapMs))).toBe(0)
})

it('grants no slot while the host is paused', async () => {
  const [one, other] = [hostSlotsTable((await organization()).ctx), hostSlotsTable((await organization()).ctx)]
  await one.rest('c.example', 5 * gapMs)
  await one.rest('c.example', gapMs)
  expect(hours(await other.take('c.example', gapMs))).toBe(5)
})

it('does not expose the hosts', async () => {
  const { ctx } = await organization()
  await hostSlotsTable(ctx).take('d.example', gapMs)
  const { rows } = await database.pool.query(`select has_schema_privilege('groundwork_app', 'pacing', 'usage') as usage,
    has_table_privilege('groundwork_app', 'pacing.host', 'select') as readable`)
  expect(rows).toEqual([{ usage: false, readable: false }])
})
