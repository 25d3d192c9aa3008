import { expect, it } from 'vitest'
import { checkClock, checkDisk, checkMigrations } from './installation-checks.ts'

const gb = 1e9

it.each([
  [0.5 * gb, 20 * gb, ['only 0.50 of 20.00 GB are free']],
  [0.5 * gb, 2 * gb, []],
  [5 * gb, 200 * gb, []],
])('the doctor compares free disk space: %d of %d bytes', (freeBytes, sizeBytes, details) => {
  expect(checkDisk('/data', { freeBytes, sizeBytes }).map(({ detail }) => detail)).toEqual(details)
})

it.each([
  [-30_000, ['its clock is 30 seconds behind the clock of this machine; synchronize both']],
  [-4_000, []],
  // The answer took two seconds: the database read its clock at any time of them.
  [6_000, []],
  [9_000, ['its clock is 7 seconds ahead of the clock of this machine; synchronize both']],
])('the doctor compares the clock of the database: %d ms', async (aheadMs, details) => {
  let now = 1_700_000_000_000
  const query = async <Row>(): Promise<Row[]> => {
    const at = new Date(now + aheadMs)
    now += 2_000
    return [{ at } as Row]
  }
  expect((await checkClock(query, () => new Date(now))).map(({ detail }) => detail)).toEqual(details)
})

it('the doctor names migrations that have not run, and those of a newer version', () => {
  expect(checkMigrations(['0001_a.sql', '0003_c.sql'], ['0001_a.sql', '0002_b.sql'])).toMatchObject([
    { check: 'migrations', subject: '0002_b.sql', detail: expect.stringContaining('has not run') },
    { check: 'migrations', subject: '0003_c.sql', detail: expect.stringContaining('does not know it') },
  ])
  expect(checkMigrations(['0001_a.sql'], ['0001_a.sql'])).toEqual([])
})
