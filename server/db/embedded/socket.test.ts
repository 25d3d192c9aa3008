import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToRunning } from './embedded.ts'
import { serveSocket } from './socket.ts'
import { openTemporary, type TestDatabase } from './testing.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTemporary()
})
afterAll(() => test.close())

describe('another process on the machine', () => {
  it('reaches the running database with plain pg', async () => {
    const stream = await connectToRunning(test.dataDir)
    if (stream === null) throw new Error('nobody answers')
    const pool = new pg.Pool({ stream, max: 3 })
    await pool.query('create table shared (id int primary key, text text)')
    const large = 'x'.repeat(3_000_000)
    await Promise.all([1, 2, 3, 4].map((id) => pool.query('insert into shared values ($1, $2)', [id, large + id])))
    expect((await test.pool.query('select count(*)::int as n, sum(length(text))::int as bytes from shared')).rows).toEqual([
      { n: 4, bytes: 12_000_004 },
    ])
    const { rows } = await pool.query<{ text: string }>('select text from shared order by id')
    expect(rows.map((row) => row.text === large + (rows.indexOf(row) + 1))).toEqual([true, true, true, true])
    await pool.end()
  })

  it('does not leave a transaction open when it goes', async () => {
    const client = new pg.Client({ host: test.dataDir, user: 'postgres' })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('begin; create table half_done ()')
    client.connection.stream.destroy()
    expect((await test.pool.query("select to_regclass('half_done') as found")).rows).toEqual([{ found: null }])
  })

  it('must be of the same user', async () => {
    expect((await stat(join(test.dataDir, '.s.PGSQL.5432'))).mode & 0o077).toBe(0)
  })
})

describe('a folder', () => {
  it('where nobody runs has no connection to give', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'groundwork-socket-'))
    expect(await connectToRunning(folder)).toBeNull()
    expect(await connectToRunning(join(folder, 'missing'))).toBeNull()
    await rm(folder, { recursive: true })
  })

  it('whose path is too long for a socket has it elsewhere', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'groundwork-socket-')), 'long'.repeat(30))
    await mkdir(folder, { mode: 0o700 })
    const server = await serveSocket(folder, () => test.db.stream())
    const stream = await connectToRunning(folder)
    if (stream === null) throw new Error('nobody answers')
    const client = new pg.Client({ stream })
    await client.connect()
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
    await server.close()
    await rm(join(folder, '..'), { recursive: true })
  })
})
