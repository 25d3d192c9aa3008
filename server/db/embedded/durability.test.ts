import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { line, openTemporary, run, temporaryFolder, type TestDatabase } from './testing.ts'

describe('an open database', () => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await openTemporary({ maintenance: { intervalMs: 20, walBytes: 4 * 2 ** 20, vacuumMs: 300, idleMs: 20 } })
    await test.pool.query('create table written (id int primary key, text text not null)')
  })
  afterAll(() => test.close())

  it('flushes each commit to the device', async () => {
    const before = test.db.counters().syncs
    for (let id = 0; id < 20; id++) await test.pool.query('insert into written values ($1, $2)', [-id - 1, 'one'])
    expect(test.db.counters().syncs - before).toBeGreaterThanOrEqual(20)
    const settled = test.db.counters().syncs
    for (let round = 0; round < 20; round++) await test.pool.query('select $1::int', [round])
    expect(test.db.counters().syncs - settled).toBeLessThan(20)
  })

  it('has the settings that this rests on, whatever the caller asks for', async () => {
    const other = await openTemporary({ parameters: { fsync: 'off', synchronous_commit: 'off', work_mem: '5MB' } })
    const { rows } = await other.pool.query(
      "select name, setting from pg_settings where name in ('fsync', 'wal_sync_method', 'full_page_writes', 'synchronous_commit', 'work_mem')",
    )
    expect(Object.fromEntries(rows.map(({ name, setting }: { name: string; setting: string }) => [name, setting]))).toEqual({
      fsync: 'on',
      wal_sync_method: 'fsync',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      work_mem: '5120',
    })
    await other.close()
  })

  it('is closed to other users', async () => {
    const open: string[] = []
    for (const name of ['.', ...(await readdir(test.dataDir, { recursive: true }))]) {
      const { mode } = await stat(join(test.dataDir, name)).catch(() => ({ mode: 0 }))
      if ((mode & 0o077) !== 0 && !name.startsWith('pgdata/')) open.push(name)
      if (name === 'pgdata') expect(mode & 0o077).toBe(0)
    }
    expect(open).toEqual([])
  })

  it('keeps the write-ahead log short over 100,000 writes', async () => {
    let largest = 0
    for (let batch = 0; batch < 50; batch++) {
      const sql = 'insert into written select i, $2 from generate_series($1::int, $1::int + 1999) i'
      await test.pool.query(sql, [batch * 2000, 'x'.repeat(200)])
      largest = Math.max(largest, await logBytes(test.dataDir))
    }
    expect(test.db.counters().walBytes).toBeGreaterThan(30 * 2 ** 20)
    expect(largest).toBeLessThan(32 * 2 ** 20)
  })

  it('flushes the folder of the log once for all segments that a checkpoint recycles', async () => {
    const other = await openTemporary({ maintenance: { intervalMs: 1e9 } })
    const segments = async (): Promise<string[]> =>
      (await readdir(join(other.dataDir, 'pgdata', 'pg_wal'))).filter((name) => name.length === 24)
    await other.pool.query('create table written (text text not null)')
    await other.pool.query('checkpoint')
    await other.pool.query("insert into written select repeat('x', 200) from generate_series(1, 60000)")
    const names = new Set(await segments())
    const before = other.db.counters().syncs
    await other.pool.query('checkpoint')
    const flushes = other.db.counters().syncs - before
    const recycled = (await segments()).filter((name) => !names.has(name)).length
    expect(recycled).toBeGreaterThan(8)
    // The others are of the changed data files.
    expect(flushes).toBeLessThan(12 + recycled)
    await other.close()
  })

  it('vacuums and analyzes tables that have changed much', async () => {
    await test.pool.query('delete from written where id % 2 = 0')
    const state = "select reltuples::int as rows, relallvisible > 0 as vacuumed from pg_class where relname = 'written'"
    await expect
      .poll(async () => {
        // Only in an idle moment.
        await new Promise((resolve) => setTimeout(resolve, 200))
        return (await test.pool.query(state)).rows[0] as unknown
      })
      .toMatchObject({ vacuumed: true, rows: expect.toSatisfy((rows: number) => rows > 45_000 && rows < 55_000) })
  })

  it('vacuums and analyzes tables of a session that is never idle', async () => {
    const other = await openTemporary({ maintenance: { intervalMs: 20, vacuumMs: 20, idleMs: 1e9, overdueMs: 100 } })
    const ending = new AbortController()
    const callers = [1, 2].map(async () => {
      while (!ending.signal.aborted) await other.pool.query('select pg_sleep(0.001)')
    })
    await other.pool.query('create table written (id int primary key, text text not null)')
    await other.pool.query("insert into written select i, 'x' from generate_series(1, 2000) i")
    await other.pool.query('delete from written where id % 2 = 0')
    const state = "select reltuples::int as rows, relallvisible > 0 as vacuumed from pg_class where relname = 'written'"
    await expect.poll(async () => (await other.pool.query(state)).rows[0] as unknown).toEqual({ rows: 1000, vacuumed: true })
    ending.abort()
    await Promise.all(callers)
    await other.close()
  })

  it('does no maintenance inside somebody’s transaction', async () => {
    const connection = await test.pool.connect()
    await connection.query('begin')
    await connection.query("insert into written select i, repeat('x', 1000) from generate_series(1000000, 1010000) i")
    const before = await redo(connection)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await redo(connection)).toBe(before)
    await connection.query('rollback')
    connection.release()
    await expect.poll(() => redo(test.pool)).not.toBe(before)
  })
})

async function redo(pool: { query(sql: string): Promise<{ rows: { lsn: string }[] }> }): Promise<string | undefined> {
  return (await pool.query('select redo_lsn::text as lsn from pg_control_checkpoint()')).rows[0]?.lsn
}

async function logBytes(dataDir: string): Promise<number> {
  const folder = join(dataDir, 'pgdata/pg_wal')
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name)).catch(() => ({ size: 0 }))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

describe('a process that is killed while it writes', () => {
  it('loses nothing that was acknowledged, and the folder opens again at once', async () => {
    const dataDir = await temporaryFolder()
    const kept: string[] = []
    for (let round = 0; round < 3; round++) {
      const { child, lines, ended } = run('./testing-process.ts', dataDir, 'write')
      const enough = 100 + round * 77
      await line(child, () => lines.length > enough)
      child.kill('SIGKILL')
      await ended
      kept.push(...lines.filter((text) => text.startsWith('kept ')).map((text) => text.slice(5)))
    }
    const test = await openTemporary({}, dataDir)
    const { rows } = await test.pool.query<{ id: string }>('select id::text from kept')
    const found = new Set(rows.map((row) => row.id))
    expect(kept.length).toBeGreaterThan(500)
    expect(kept.filter((id) => !found.has(id))).toEqual([])
    await test.close()
  })
})
