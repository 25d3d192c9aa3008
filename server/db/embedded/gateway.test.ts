import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBulkSession } from '../bulk-session.ts'
import { build, MessageReader, query, sync, typeOf } from './protocol.ts'
import { client, codeOf, openTemporary, type TestDatabase } from './testing.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTemporary({ waitMs: 400, idleTransactionMs: 1500 })
  await test.pool.query('create table item (id int primary key, text text)')
})
afterAll(() => test.close())

describe('many connections', () => {
  it('each get their own answers: transactions, large parameters, named statements and errors interleaved', async () => {
    const large = 'x'.repeat(1_000_000)
    const work = Array.from({ length: 30 }, async (_, worker) => {
      for (let round = 0; round < 12; round++) {
        const id = worker * 1000 + round
        const kind = (worker + round) % 5
        if (kind === 0) {
          const { rows } = await test.pool.query<{ size: number; tag: string }>('select length($1) as size, $2::text as tag', [
            large,
            `tag ${id}`,
          ])
          expect(rows).toEqual([{ size: large.length, tag: `tag ${id}` }])
        } else if (kind === 1) {
          const { rows } = await test.pool.query<{ doubled: number }>({
            name: 'double',
            text: 'select $1::int * 2 as doubled',
            values: [id],
          })
          expect(rows[0]?.doubled).toBe(id * 2)
        } else if (kind === 2) {
          expect(await codeOf(test.pool.query('select 1 / $1::int', [0]))).toBe('22012')
          expect(await codeOf(test.pool.query(`selec ${id}`))).toBe('42601')
        } else {
          const connection = await test.pool.connect()
          try {
            await connection.query('begin')
            await connection.query('insert into item values ($1, $2)', [id, `worker ${worker}`])
            const { rows } = await connection.query({ name: 'mine', text: 'select text from item where id = $1', values: [id] })
            expect(rows).toEqual([{ text: `worker ${worker}` }])
            await connection.query(kind === 3 ? 'commit' : 'rollback')
          } finally {
            connection.release()
          }
        }
      }
    })
    await Promise.all(work)
    const { rows } = await test.pool.query<{ kept: number }>('select count(*)::int as kept from item')
    expect(rows[0]?.kept).toBe(30 * 12 * 0.2)
  })

  it('see the real server', async () => {
    const connection = await client(test.db)
    const version = new Promise((resolve) =>
      connection.connection.on('parameterStatus', (message: { parameterName: string }) => resolve(message.parameterName)),
    )
    await connection.query("set timezone = 'Asia/Tokyo'")
    expect(await version).toBe('TimeZone')
    const { rows } = await connection.query<{ server_version: string }>('show server_version')
    expect(rows[0]?.server_version).toMatch(/^18\./)
    await connection.end()
  })
})

describe('transactions', () => {
  it('are seen by others only when committed', async () => {
    const one = await client(test.db)
    await one.query('begin')
    await one.query('create table only_mine ()')
    const other = test.pool.query("select to_regclass('only_mine') as found")
    await one.query('rollback')
    expect((await other).rows).toEqual([{ found: null }])
    await one.end()
  })

  it('keep others waiting no longer than waitMs', async () => {
    const one = await client(test.db)
    await one.query('begin')
    expect(await codeOf(test.pool.query('select 1'))).toBe('55P03')
    expect(await codeOf(test.pool.query('select $1::int', [1]))).toBe('55P03')
    await one.query('commit')
    expect((await test.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await one.end()
  })

  it('that a dropped connection left open are rolled back, and its statements deallocated', async () => {
    const one = await client(test.db)
    one.on('error', () => undefined)
    await one.query('begin')
    await one.query({ name: 'left', text: 'insert into item values (-1, $1)', values: ['left'] })
    one.connection.stream.destroy()
    expect((await test.pool.query('select id from item where id = -1')).rows).toEqual([])
    expect((await test.pool.query("select name from pg_prepared_statements where name like '%left'")).rows).toEqual([])
  })

  it('that are left open without a statement are rolled back, and the client is told', async () => {
    const one = await client(test.db)
    await one.query('begin')
    await one.query("insert into item values (-2, 'idle')")
    const waiting = async (): Promise<unknown[]> => {
      for (;;) {
        try {
          return (await test.pool.query('select id from item where id = -2')).rows
        } catch (error) {
          expect(error).toMatchObject({ code: '55P03' })
        }
      }
    }
    expect(await waiting()).toEqual([])
    expect(await codeOf(one.query('commit'))).toBe('25P03')
    expect(await codeOf(one.query("insert into item values (-2, 'after')"))).toBe('25P02')
    await one.query('rollback')
    expect((await one.query('select id from item where id = -2')).rows).toEqual([])
    await one.end()
  })
})

describe('settings', () => {
  it('belong to the connection that set them', async () => {
    const one = await client(test.db)
    await one.query("set work_mem = '9MB'; set app.tenant = 'one'; set role pg_monitor")
    const state = "select current_setting('work_mem') as mem, current_setting('app.tenant', true) as tenant, current_user as who"
    expect((await test.pool.query(state)).rows).toEqual([
      { mem: '8MB', tenant: expect.toSatisfy((t) => t === null || t === ''), who: 'postgres' },
    ])
    expect((await one.query(state)).rows).toEqual([{ mem: '9MB', tenant: 'one', who: 'pg_monitor' }])
    await one.end()
    expect((await test.pool.query(state)).rows).toMatchObject([{ mem: '8MB', who: 'postgres' }])
  })

  it('of a transaction end with it', async () => {
    const one = await client(test.db)
    await one.query('begin; set local role pg_monitor')
    await one.query('commit')
    expect((await one.query('select current_user as who')).rows).toEqual([{ who: 'postgres' }])
    await one.end()
  })

  it('can be given as the connection is made', async () => {
    const one = await client(test.db, { options: '-c work_mem=11MB -c role=pg_monitor' })
    const state = "select current_setting('work_mem') as mem, current_user as who"
    expect((await one.query(state)).rows).toEqual([{ mem: '11MB', who: 'pg_monitor' }])
    expect((await test.pool.query(state)).rows).toEqual([{ mem: '8MB', who: 'postgres' }])
    await one.end()
    const wrong = await client(test.db, { options: '-c no_such_setting=1' })
    expect(await codeOf(wrong.query('select 1'))).toBe('42704')
    await wrong.end()
  })
})

describe('notifications', () => {
  it('reach every connection that listens, and no other', async () => {
    const [one, two, three] = await Promise.all([client(test.db), client(test.db), client(test.db)])
    const heard: string[] = []
    const names = new Map([
      [one, 'one'],
      [two, 'two'],
      [three, 'three'],
    ])
    for (const [connection, name] of names)
      connection.on('notification', (message) => heard.push(`${name} ${message.channel} ${message.payload}`))
    await one.query('listen news')
    await two.query('listen "news"; listen other')
    await test.pool.query("select pg_notify('news', 'first')")
    await one.query('unlisten news')
    await test.pool.query("notify news, 'second'")
    await test.pool.query("notify other, 'third'")
    await Promise.all([one, two, three].map((connection) => connection.query('select 1')))
    expect(heard.toSorted()).toEqual(['one news first', 'two news first', 'two news second', 'two other third'])
    await Promise.all([one.end(), two.end(), three.end()])
  })
})

describe('COPY', () => {
  it('reads and writes rows in bulk, in a transaction and after an error', async () => {
    const session = await openBulkSession({ stream: () => test.db.stream() })
    await session.query('create table copied (id integer primary key, text text)')
    const rows = Buffer.from(Array.from({ length: 20_000 }, (_, n) => `${n}\trow ${n} \\\\ \u00e9\n`).join(''))
    await session.query('begin')
    await session.copyIn('copy copied from stdin', rows)
    await session.query('commit')
    expect((await session.copyOut('copy (select * from copied order by id) to stdout')).equals(rows)).toBe(true)
    expect(await codeOf(session.copyIn('copy copied from stdin', Buffer.from('1\tagain\n')))).toBe('23505')
    expect(await codeOf(session.copyIn('copy missing from stdin', rows))).toBe('42P01')
    expect(await codeOf(session.copyOut('copy missing to stdout'))).toBe('42P01')
    expect(await session.query('select count(*)::int from copied')).toEqual([{ count: 20_000 }])
    await session.close()
  })

  it('does not keep other connections waiting for its data, and ends with a client that sends none', async () => {
    const raw = await rawConnection(test.db.stream())
    raw.send(query('copy item from stdin'))
    expect(await raw.until('G')).toBe('G')
    expect((await test.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    raw.send(build('f', 'no data'))
    expect(await raw.until('Z')).toBe('EZ')
    const one = await client(test.db)
    expect(await codeOf(one.query('copy item from stdin'))).toBe('57014')
    expect(await codeOf(one.query({ text: 'copy item from stdin', name: 'refused' }))).toBe('0A000')
    await one.end()
    raw.stream.destroy()
  })
})

describe('what cannot be shared', () => {
  it.each(['select 1; copy item from stdin', 'select pg_advisory_lock(1)', 'discard all'])(
    '%s is refused, and the connection stays usable',
    async (sql) => {
      const one = await client(test.db)
      expect(await codeOf(one.query(sql))).toBe('0A000')
      expect(await codeOf(one.query({ text: sql, name: 'refused' }))).toBe('0A000')
      expect((await one.query('select $1::int as one', [1])).rows).toEqual([{ one: 1 }])
      await one.query('begin')
      expect(await codeOf(one.query(sql))).toBe('0A000')
      expect(await codeOf(one.query('select 1'))).toBe('25P02')
      await one.query('rollback')
      await one.end()
    },
  )
})

describe('the protocol', () => {
  it('survives an error before Flush without eating another connection’s messages', async () => {
    const raw = await rawConnection(test.db.stream())
    raw.send(build('P', 'bad', 'selec', Buffer.alloc(2)), build('H'))
    expect(await raw.until('E')).toBe('E')
    const other = test.pool.query('select 1 as one')
    raw.send(build('P', 'never', 'select 1', Buffer.alloc(2)), sync())
    expect(await raw.until('Z')).toBe('Z')
    expect((await other).rows).toEqual([{ one: 1 }])
    raw.send(query('select 1'))
    expect(await raw.until('Z')).toBe('TDCZ')
    raw.stream.destroy()
  })

  it('refuses before Flush and passes over the rest up to Sync', async () => {
    const raw = await rawConnection(test.db.stream())
    raw.send(build('P', '', 'copy item from stdin', Buffer.alloc(2)), build('H'), build('B', '', '', Buffer.alloc(6)), sync())
    expect(await raw.until('Z')).toBe('EZ')
    raw.stream.destroy()
  })

  it('keeps unnamed statements apart', async () => {
    const [one, two] = await Promise.all([rawConnection(test.db.stream()), rawConnection(test.db.stream())])
    one.send(build('P', '', "select 'one'", Buffer.alloc(2)), sync())
    await one.until('Z')
    two.send(build('P', '', "select 'two', 2", Buffer.alloc(2)), sync())
    await two.until('Z')
    one.send(build('B', '', '', Buffer.alloc(6)), build('E', '', Buffer.alloc(4)), sync())
    expect(await one.until('Z')).toBe('2DCZ')
    expect(one.last('D')?.toString('latin1')).toContain('one')
    one.stream.destroy()
    two.stream.destroy()
  })

  it('ends a connection that does not speak it', async () => {
    const raw = await rawConnection(test.db.stream())
    raw.send(build('!'))
    expect(await raw.until('E')).toBe('E')
    await new Promise((resolve) => raw.stream.once('end', resolve))
  })
})

interface Raw {
  stream: Duplex
  send(...messages: Buffer[]): void
  /** The types of the messages up to the next of this type. */
  until(type: string): Promise<string>
  last(type: string): Buffer | undefined
}

async function rawConnection(stream: Duplex): Promise<Raw> {
  const reader = new MessageReader()
  const seen: Buffer[] = []
  let wake: () => void = () => undefined
  stream.on('data', (chunk: Buffer) => {
    reader.push(chunk)
    for (let message = reader.next(); message !== null; message = reader.next()) seen.push(message)
    wake()
  })
  let read = 0
  const raw: Raw = {
    stream,
    send: (...messages) => void stream.write(Buffer.concat(messages)),
    async until(type) {
      for (let types = ''; ;) {
        for (; read < seen.length; read++) {
          types += typeOf(seen[read] ?? Buffer.alloc(0))
          if (types.endsWith(type)) {
            read++
            return types
          }
        }
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    last: (type) => seen.findLast((message) => typeOf(message) === type),
  }
  const body = Buffer.from('user\0postgres\0\0')
  const packet = Buffer.alloc(8)
  packet.writeInt32BE(8 + body.length, 0)
  packet.writeInt32BE(3 << 16, 4)
  stream.write(Buffer.concat([packet, body]))
  await raw.until('Z')
  return raw
}
