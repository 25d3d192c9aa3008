import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { withTransaction, type Context } from '../context.ts'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { emit } from './emit.ts'

const { app, organization, database } = await testApp()
await app.listen({ host: '127.0.0.1', port: 0 })
// The client opens idle connections in advance.
afterAll(() => app.server.closeAllConnections())
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

const onServer = inject('serverUrl') !== ''

interface Received {
  id: string
  event: string
  data: { data: { name: string } }
}

/** Reads a stream as a browser does. `next` waits for a number of further events. */
async function open({ token }: Caller, { query = '', lastEventId }: { query?: string; lastEventId?: string } = {}) {
  const gone = new AbortController()
  const response = await fetch(`${origin}/v1/events/stream${query}`, {
    headers: { authorization: `Bearer ${token}`, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: gone.signal,
  })
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function frame(): Promise<string | null> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const found = text.slice(0, end)
        text = text.slice(end + 2)
        return found
      }
      const { value, done } = await reader.read()
      if (done) return null
      text += value
    }
  }
  return {
    response,
    frame,
    async next(count: number): Promise<Received[]> {
      const events: Received[] = []
      while (events.length < count) {
        const found = await frame()
        if (found === null) throw new Error(`the stream ended after ${events.length} of ${count} events`)
        if (found.startsWith(':')) continue
        const [id, event, data] = found.split('\n').map((line) => line.slice(line.indexOf(': ') + 2))
        events.push({ id: id ?? '', event: event ?? '', data: JSON.parse(data ?? '') })
      }
      return events
    },
    leave: () => gone.abort(),
  }
}

const base = async ({ call }: Caller, name: string): Promise<string> => (await call('POST', '/v1/bases', { name })).body.id
const names = (events: Received[]): string[] => events.map(({ data }) => data.data.name)

describe('GET /v1/events/stream', () => {
  it('sends new events as the list shows them', async () => {
    const [caller, other] = [await organization(), await organization()]
    await base(caller, 'before')
    const stream = await open(caller)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await stream.frame()).toBe(':')
    await base(other, 'not yours')
    await base(caller, 'one')
    await base(caller, 'two')
    const events = await stream.next(2)
    expect(names(events)).toEqual(['one', 'two'])
    expect(events[1]?.event).toBe('base.created')
    expect(events[1]?.id).toBe((await caller.call('GET', '/v1/events')).body.data[0].id)
    expect(events.map(({ data }) => data).toReversed()).toEqual((await caller.call('GET', '/v1/events?limit=2')).body.data)
    stream.leave()
  })

  it('filters by type', async () => {
    const caller = await organization()
    const stream = await open(caller, { query: '?type=base.deleted&type=contact.created' })
    await caller.call('DELETE', `/v1/bases/${await base(caller, 'gone')}`)
    await caller.call('POST', '/v1/contacts', { email: 'a@example.com' })
    expect((await stream.next(2)).map(({ event }) => event)).toEqual(['base.deleted', 'contact.created'])
    stream.leave()
  })

  it('resumes after Last-Event-ID without gaps or duplicates', async () => {
    const caller = await organization()
    const first = await open(caller)
    const total = 160
    const writing = Promise.all(
      [0, 1, 2, 3].map(async (writer) => {
        for (let n = 0; n < total / 4; n += 1) await base(caller, `${writer}-${n}`)
      }),
    )
    const seen = await first.next(1)
    first.leave()
    while (seen.length < total) {
      const stream = await open(caller, { lastEventId: seen.at(-1)?.id ?? '' })
      seen.push(...(await stream.next(Math.min(23, total - seen.length))))
      stream.leave()
    }
    await writing
    const { rows } = await database.pool.query<{ id: string }>('select id from event where organization_id = $1 order by position', [
      caller.organizationId,
    ])
    expect(seen.map(({ id }) => id.slice(4))).toEqual(rows.map(({ id }) => id))
  })

  it('starts at the oldest event if Last-Event-ID has expired, without events of other organizations', async () => {
    const [caller, other] = [await organization(), await organization()]
    await base(caller, 'mine')
    await base(other, 'theirs')
    const foreign = (await other.call('GET', '/v1/events')).body.data[0].id
    for (const lastEventId of [`evt_${newId()}`, newId(), foreign]) {
      const stream = await open(caller, { lastEventId })
      expect(names(await stream.next(1))).toEqual(['mine'])
      stream.leave()
    }
    expect((await open(caller, { lastEventId: 'nonsense' })).response.status).toBe(400)
  })

  it('limits the number of clients, and frees the slots of disconnected ones', async () => {
    const caller = await organization()
    const streams = await Promise.all(Array.from({ length: 50 }, () => open(caller)))
    expect(streams.every(({ response }) => response.status === 200)).toBe(true)
    expect((await open(caller)).response.status).toBe(429)
    const other = await open(await organization())
    expect(other.response.status).toBe(200)
    other.leave()
    streams.forEach(({ leave }) => leave())
    for (;;) {
      const again = await open(caller)
      again.leave()
      if (again.response.status === 200) break
    }
  })

  it('ends when its token is revoked, before the next event', async () => {
    const caller = await organization()
    const stream = await open(caller)
    await stream.frame()
    await database.pool.query('update api_token set expires_at = now(), revoked_at = now() where organization_id = $1', [
      caller.organizationId,
    ])
    const { ctx } = caller
    await new Promise((remembered) => setTimeout(remembered, 1000))
    await withTransaction(ctx, (trx) => emit(ctx, trx, 'base.created', sample('late')))
    expect(await stream.frame()).toBeNull()
  })

  it.runIf(onServer)('recovers after its LISTEN connection was lost', async () => {
    const caller = await organization()
    const stream = await open(caller)
    await stream.frame()
    await base(caller, 'one')
    await stream.next(1)
    const { rows } = await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen groundwork%' and datname = current_database()`,
    )
    expect(rows).toHaveLength(1)
    await base(caller, 'two')
    // A stream restores the LISTEN connection at its next poll, and a new stream immediately.
    const other = await open(await organization())
    expect(names(await stream.next(1))).toEqual(['two'])
    other.leave()
    stream.leave()
  })
})

const sample = (name: string, id = `kb_${newId()}`) => ({
  id,
  name,
  description: '',
  starred: false,
  ragSettings: {
    chunkingStrategy: 'fixed' as const,
    chunkSize: 64,
    chunkOverlap: 0,
    topK: 1,
    similarityThreshold: 0,
    hybridSearch: false,
  },
  stats: { sources: 0, chunks: 0, lastUpdatedAt: new Date().toISOString() },
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
})

/** A transaction that has emitted an event and stays open until `commit`. */
function holding(ctx: Context, name: string, baseId?: string) {
  let commit = (): void => undefined
  const committing = new Promise<void>((resolve) => (commit = resolve))
  let emitted = (): void => undefined
  const reached = new Promise<void>((resolve) => (emitted = resolve))
  const done = withTransaction(ctx, async (trx) => {
    await emit(ctx, trx, 'base.created', sample(name, baseId))
    emitted()
    await committing
  })
  return { reached, commit, done }
}

/** Resolves when a transaction waits for an advisory lock of this database. */
async function somebodyWaits(): Promise<void> {
  for (;;) {
    const { rowCount } = await database.pool.query(
      `select from pg_locks join pg_database on database = pg_database.oid
       where locktype = 'advisory' and not granted and datname = current_database()`,
    )
    if (rowCount !== 0) return
  }
}

describe('concurrent transactions', () => {
  it('lose no event: positions follow commit order', async () => {
    const caller = await organization()
    const there = await base(caller, 'there')
    const stream = await open(caller)
    await stream.frame()
    const slow = holding(caller.ctx, 'slow', there)
    await slow.reached
    let overtaken = false
    const quick = base(caller, 'quick').then(() => (overtaken = true))
    // The embedded engine has one session, in which the second transaction cannot start yet, so waiting locks cannot be
    // observed.
    if (onServer) await somebodyWaits()
    expect(overtaken).toBe(false)
    slow.commit()
    await Promise.all([slow.done, quick])
    expect(names(await stream.next(2))).toEqual(['slow', 'quick'])
    stream.leave()
  })

  it.runIf(onServer)('do not wait for transactions of other organizations', async () => {
    const [caller, other] = [await organization(), await organization()]
    const slow = holding(caller.ctx, 'slow')
    await slow.reached
    expect(await base(other, 'at once')).toMatch(/^kb_/)
    slow.commit()
    await slow.done
  })

  it('do not deadlock when they emit in opposite orders', async () => {
    const caller = await organization()
    const ids = [await base(caller, 'a'), await base(caller, 'b')]
    const rename = (id: string | undefined, n: number) => caller.call('PATCH', `/v1/bases/${id}`, { name: `n${n}` })
    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => rename(ids[n % 2], n)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })
})
