import { describe, expect, it, vi } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp, type Caller } from '../../testing/app.ts'
import { endDelays, jobName } from '../../testing/delayed-jobs.ts'
import { addPassages } from '../../testing/passages.ts'
import { person } from '../../testing/people.ts'
import { unitEmbedder, unitVector } from '../../testing/fixtures.ts'
import { searchBase } from '../search/search-base.ts'
import { deleteExpiredRetrievalsWork } from './retention.ts'
import { notLogged } from './log.ts'

const across = new Float32Array(384).map((_, index) => (index === 1 ? 1 : 0))
let clockMs = 0
const dayMs = 86_400_000

/** Texts with plums have one direction, all others another. */
const { app, organization, database, platform } = await testApp({
  embedder: { ...unitEmbedder, embed: async (texts) => texts.map((text) => (text.includes('plum') ? unitVector : across)) },
  now: () => new Date(Date.now() + clockMs),
  worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) },
})
const caller = await organization()
const { call } = caller

const newBase = async (of: Caller, more: object = {}): Promise<string> =>
  (await of.call('POST', '/v1/bases', { name: 'B', ...more })).body.id
const search = (base: string, query: string, more: object = {}) => call('POST', `/v1/bases/${base}/search`, { query, ...more })
const rowsOf = async (base: string): Promise<{ query: string }[]> =>
  (await database.pool.query('select query from retrieval where base_id = $1 order by created_at, id', [base.slice(-36)])).rows

async function logged(
  base: string,
  query = '',
): Promise<any[]> /* oxlint-disable-line typescript/no-explicit-any -- a test looks into it */ {
  await platform.retrievals.flush()
  const { status, body } = await call('GET', `/v1/bases/${base}/retrievals${query}`)
  expect(status).toBe(200)
  return body.data
}

describe('the log of searches', () => {
  it('has the query, results, durations, token and integration of each search', async () => {
    const base = await newBase(caller)
    const source = await addPassages(caller, base, ['a plum', 'a plum tart'])
    const { body: reply } = await search(base, '  When is a plum ripe? ')
    const [entry, ...others] = await logged(base)
    expect(others).toEqual([])
    const { body: tokens } = await call('GET', '/v1/tokens')
    expect(entry).toMatchObject({
      id: expect.stringMatching(/^ret_/),
      query: 'When is a plum ripe?',
      unanswered: false,
      scoredBy: 'hybrid',
      degraded: [],
      via: 'api',
      tokenId: tokens.data[0].id,
    })
    expect(entry.hits.map(({ chunkId, sourceId }: { chunkId: string; sourceId: string }) => [chunkId, sourceId])).toEqual(
      reply.data.map(({ chunkId }: { chunkId: string }) => [chunkId, source]),
    )
    expect(entry.bestScore).toBeCloseTo(reply.data[0].score, 5)
    expect(entry.hits[0].score).toBe(entry.bestScore)
    expect(entry.timings.totalMs).toBeCloseTo(reply.timings.totalMs, 1)
    expect(Date.parse(entry.createdAt)).not.toBeNaN()
  })

  it('is paged newest first, and filters by time, by unanswered and by text', async () => {
    const base = await newBase(caller)
    await addPassages(caller, base, ['a plum'])
    const between: string[] = []
    for (const query of ['plum 1', 'trains', 'plum 2']) {
      between.push(new Date(Date.now() + clockMs).toISOString())
      await search(base, query)
      clockMs += 1000
    }
    const queries = async (query: string) => (await logged(base, query)).map((each) => each.query)
    expect(await queries('')).toEqual(['plum 2', 'trains', 'plum 1'])
    const { body: first } = await call('GET', `/v1/bases/${base}/retrievals?limit=2`)
    expect(await queries(`?limit=2&cursor=${first.nextCursor}`)).toEqual(['plum 1'])
    expect(await queries('?unanswered=true')).toEqual(['trains'])
    expect(await queries('?unanswered=false')).toEqual(['plum 2', 'plum 1'])
    expect(await queries('?q=PLUM')).toEqual(['plum 2', 'plum 1'])
    expect(await queries('?q=m+1&unanswered=false')).toEqual(['plum 1'])
    expect(await queries('?q=%25')).toEqual([])
    expect(await queries(`?since=${between[1]}`)).toEqual(['plum 2', 'trains'])
    expect(await queries(`?until=${between[1]}`)).toEqual(['plum 1'])
    expect((await call('GET', `/v1/bases/${base}/retrievals?unanswered=1`)).body.error.field).toBe('unanswered')
  })

  it('is sorted by time, best score or duration, page by page', async () => {
    const base = await newBase(caller)
    await platform.retrievals.flush()
    const scores = [0.5, null, 0.9, 0.5, 0]
    for (const [index, score] of scores.entries()) {
      const atMs = 1_700_000_000_000 + index
      await database.pool.query(
        `insert into retrieval (organization_id, base_id, created_at, id, query, question_key, chunk_ids, source_ids, scores, best_score,
           unanswered, embed_ms, search_ms, assemble_ms, total_ms, degraded, via)
         values ($1, $2, $3, $4, $5, '', '{}', '{}', '{}', $6, false, 1, 1, 1, $7, '{}', 'api')`,
        [caller.organizationId, base.slice(-36), new Date(atMs), newId(atMs), String(index), score, 10.25 - index],
      )
    }
    const inOrder = async (sort: string): Promise<string> => {
      let [found, cursor] = ['', '']
      do {
        const { status, body } = await call('GET', `/v1/bases/${base}/retrievals?limit=2&sort=${sort}${cursor && `&cursor=${cursor}`}`)
        expect(status).toBe(200)
        for (const { query } of body.data) found += query
        cursor = body.nextCursor ?? ''
      } while (cursor !== '')
      return found
    }
    expect(await inOrder('-createdAt')).toBe('43210')
    expect(await inOrder('createdAt')).toBe('01234')
    expect(await inOrder('-bestScore')).toBe('23041')
    expect(await inOrder('bestScore')).toBe('14032')
    expect(await inOrder('totalMs')).toBe('43210')
    expect(await inOrder('-totalMs')).toBe('01234')
    const { body: first } = await call('GET', `/v1/bases/${base}/retrievals?limit=2&sort=bestScore`)
    const other = await call('GET', `/v1/bases/${base}/retrievals?limit=2&sort=totalMs&cursor=${first.nextCursor}`)
    expect([other.status, other.body.error.field]).toEqual([400, 'cursor'])
    expect((await call('GET', `/v1/bases/${base}/retrievals?sort=query`)).status).toBe(400)
  })

  it('has a search of several knowledge bases once per knowledge base, with its passages', async () => {
    const [one, other] = [await newBase(caller), await newBase(caller)]
    const source = await addPassages(caller, one, ['a plum'])
    await call('POST', '/v1/search', { baseIds: [one, other], query: 'plum' })
    const [[here], [there]] = [await logged(one), await logged(other)]
    expect(here.hits).toMatchObject([{ sourceId: source }])
    // Where another base answers, nothing is missing.
    expect(there).toMatchObject({ hits: [], unanswered: false, bestScore: here.bestScore })
  })

  it('names the integration', async () => {
    const base = await newBase(caller)
    const turns = [{ role: 'user', content: 'plum' }]
    await call('POST', `/vapi/bases/${base}`, { message: { type: 'knowledge-base-request', messages: turns } })
    await call('POST', '/dify/retrieval', { knowledge_id: base, query: 'plum', retrieval_setting: { top_k: 1, score_threshold: 0 } })
    await call('POST', `/openai/v1/vector_stores/${base}/search`, { query: 'plum' })
    const params = { name: 'search_knowledge', arguments: { query: 'plum', baseIds: [base] } }
    await call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect((await logged(base)).map(({ via }) => via).toSorted()).toEqual(['dify', 'mcp', 'openai', 'vapi'])
  })

  it('stores lone surrogates, NUL and very long conversations', async () => {
    const base = await newBase(caller)
    const reply = {
      data: [],
      query: `\u0000 \ud800 ${'x'.repeat(9000)}`,
      confidence: 0,
      belowThreshold: 0,
      scoredBy: 'rerank' as const,
      timings: { embedMs: 0, searchMs: 0, rerankMs: 3, assembleMs: 0, totalMs: 0 },
      degraded: [],
    }
    platform.retrievals.record(caller.ctx, [base.slice(-36)], reply)
    const [entry] = await logged(base)
    expect(entry).toMatchObject({ scoredBy: 'rerank', timings: { rerankMs: 3 } })
    expect(entry.query).toBe(`\ufffd \ufffd ${'x'.repeat(3996)}`)
  })

  it('omits searches without a user question', async () => {
    const base = await newBase(caller)
    await searchBase({ ...caller.ctx, retrievals: notLogged }, base.slice(-36), { query: 'plum' })
    expect(await logged(base)).toEqual([])
  })

  it('omits deleted sources, and is deleted with the knowledge base', async () => {
    const base = await newBase(caller)
    const [gone, left] = [await addPassages(caller, base, ['a plum']), await addPassages(caller, base, ['a plum tart'])]
    await search(base, 'plum')
    await platform.retrievals.flush()
    await call('DELETE', `/v1/bases/${base}/sources/${gone}`)
    const [{ hits }] = await logged(base)
    expect(hits).toHaveLength(2)
    expect(hits).toEqual(
      expect.arrayContaining([
        { chunkId: null, sourceId: null, score: expect.any(Number) },
        { chunkId: expect.stringMatching(/^chk_/), sourceId: left, score: expect.any(Number) },
      ]),
    )
    await search(base, 'plum')
    expect((await call('DELETE', `/v1/bases/${base}`)).status).toBe(204)
    await platform.retrievals.flush()
    expect(await rowsOf(base)).toEqual([])
  })
})

describe('its retention', () => {
  it('is a setting of the knowledge base; off deletes everything', async () => {
    const base = await newBase(caller, { retrievalLog: { days: 7 } })
    expect((await call('GET', `/v1/bases/${base}`)).body.retrievalLog).toEqual({ enabled: true, days: 7 })
    await search(base, 'plum')
    expect(await logged(base)).toHaveLength(1)
    await search(base, 'on its way')
    const { body } = await call('PATCH', `/v1/bases/${base}`, { retrievalLog: { enabled: false } })
    expect(body.retrievalLog).toEqual({ enabled: false, days: 7 })
    expect(await rowsOf(base)).toEqual([])
    await search(base, 'plum')
    expect(await logged(base)).toEqual([])
    await search(base, 'asked while it was off')
    clockMs += 1
    await call('PATCH', `/v1/bases/${base}`, { retrievalLog: { enabled: true } })
    await search(base, 'again')
    expect((await logged(base)).map(({ query }) => query)).toEqual(['again'])
    for (const [field, retrievalLog] of [
      ['retrievalLog.days', { days: 0 }],
      ['retrievalLog.days', { days: 366 }],
      ['retrievalLog.enabled', { enabled: 'no' }],
      ['retrievalLog.hours', { hours: 1 }],
    ] as const)
      expect(await call('PATCH', `/v1/bases/${base}`, { retrievalLog })).toMatchObject({ status: 422, body: { error: { field } } })
  })

  it('deletes the rows of a day with one job, queued by the first of them', async () => {
    const base = await newBase(caller, { retrievalLog: { days: 3 } })
    const jobs = async () =>
      (
        await database.pool.query(
          `select extract(epoch from start_after - created_on) / 86400 as days from pgboss.job where ${jobName} = $2 and data ->> 'baseId' = $1 and state < 'active'`,
          [base.slice(-36), deleteExpiredRetrievalsWork.name],
        )
      ).rows.map(({ days }) => Math.round(Number(days)))
    await search(base, 'first')
    await platform.retrievals.flush()
    await search(base, 'second')
    await platform.retrievals.flush()
    const sameDay = await jobs()
    clockMs += dayMs
    await search(base, 'the day after')
    await platform.retrievals.flush()
    // Two, should midnight have passed between the first and the second.
    expect([4, (await jobs()).length - sameDay.length]).toEqual([sameDay[0], 1])
    clockMs += 2.5 * dayMs
    await endDelays(database, deleteExpiredRetrievalsWork.name)
    expect((await rowsOf(base)).map(({ query }) => query)).toEqual(['the day after'])
    await endDelays(database, deleteExpiredRetrievalsWork.name)
    expect(await rowsOf(base)).toHaveLength(1)
  })

  it('ends with the knowledge base or the log, also for concurrent rows', async () => {
    const [gone, off] = [await newBase(caller), await newBase(caller)]
    await search(off, 'x')
    await platform.retrievals.flush()
    const { rows } = await database.pool.query('select * from retrieval where base_id = $1', [off.slice(-36)])
    await call('DELETE', `/v1/bases/${gone}`)
    await call('PATCH', `/v1/bases/${off}`, { retrievalLog: { enabled: false } })
    for (const base of [gone, off]) {
      const late = { ...rows[0], base_id: base.slice(-36) }
      const columns = Object.keys(late)
      const places = columns.map((_column, index) => `$${index + 1}`)
      await database.pool.query(`insert into retrieval (${columns.join(', ')}) values (${places.join(', ')})`, Object.values(late))
      await deleteExpiredRetrievalsWork.run(caller.ctx, { baseId: base.slice(-36) })
      expect(await rowsOf(base)).toEqual([])
    }
  })

  it('can be shortened, which deletes older rows', async () => {
    const base = await newBase(caller)
    await search(base, 'old')
    await platform.retrievals.flush()
    clockMs += 10 * dayMs
    await search(base, 'new')
    await platform.retrievals.flush()
    await call('PATCH', `/v1/bases/${base}`, { retrievalLog: { days: 5 } })
    await vi.waitUntil(async () => (await rowsOf(base)).length === 1, { timeout: 120_000 })
    expect(await rowsOf(base)).toEqual([{ query: 'new' }])
  })
})

describe('searches of a signed-in user, that is, in the playground', () => {
  it('are in the log, and neither in statistics nor among the unanswered questions', async () => {
    const owner = await organization()
    const base = await newBase(owner)
    const { call: callAsUser } = await person({ app, platform }, { [owner.organizationId]: 'owner' })
    const asUser = { 'groundwork-organization': `org_${owner.organizationId}` }
    const found = await callAsUser('POST', `/v1/bases/${base}/search`, { query: 'trains of a user' }, asUser)
    expect(found.status).toBe(200)
    await platform.retrievals.flush()
    const { searches, attention } = (await owner.call('GET', '/v1/overview')).body
    expect(searches).toEqual({ days: [], lastAt: expect.any(String) })
    expect(attention.questions.count).toBe(0)

    await owner.call('POST', `/v1/bases/${base}/search`, { query: 'trains of a token' })
    await platform.retrievals.flush()
    const { body: log } = await owner.call('GET', `/v1/bases/${base}/retrievals`)
    expect(log.data).toMatchObject([
      { query: 'trains of a token', via: 'api', unanswered: true },
      { query: 'trains of a user', via: 'playground', unanswered: true, tokenId: null },
    ])
    const { body: days } = await owner.call('GET', `/v1/bases/${base}/retrievals/stats`)
    expect(days.data).toMatchObject([{ searches: 1, unanswered: 1 }])
    const { body: questions } = await owner.call('GET', `/v1/bases/${base}/unanswered`)
    expect(questions.data).toMatchObject([{ question: 'trains of a token', times: 1 }])
    const { body: overview } = await owner.call('GET', '/v1/overview')
    expect(overview).toMatchObject({ searches: { days: [{ searches: 1, unanswered: 1 }] }, attention: { questions: { count: 1 } } })
  })
})

describe('unanswered questions', () => {
  it('are grouped regardless of spelling variants, most frequent first', async () => {
    const base = await newBase(caller)
    await addPassages(caller, base, ['a plum'])
    for (const query of ['Where is the train?', 'tickets', 'where is  the TRAIN', '„Where is the train“!', 'plum', 'a plum?']) {
      await search(base, query)
      clockMs += 1000
    }
    await platform.retrievals.flush()
    const { status, body } = await call('GET', `/v1/bases/${base}/unanswered`)
    expect(status).toBe(200)
    expect(body.data).toEqual([
      { question: '„Where is the train“!', times: 3, lastAt: expect.any(String), bestScore: 0 },
      { question: 'tickets', times: 1, lastAt: expect.any(String), bestScore: 0 },
    ])
    expect((await call('GET', `/v1/bases/${base}/unanswered?limit=1`)).body.data).toHaveLength(1)
    expect((await call('GET', `/v1/bases/${base}/unanswered?since=2999-01-01T00:00:00Z`)).body.data).toEqual([])
    expect((await call('GET', `/v1/bases/${base}/unanswered?until=2001-01-01T00:00:00Z`)).body.data).toEqual([])
    expect((await call('GET', `/v1/bases/kb_${newId()}/unanswered`)).status).toBe(404)
  })
})

describe('daily statistics', () => {
  it('have the number of searches, unanswered searches and durations', async () => {
    const base = await newBase(caller)
    await addPassages(caller, base, ['a plum'])
    const timings = { embedMs: 0, searchMs: 0, assembleMs: 0 }
    const record = (totalMs: number) =>
      platform.retrievals.record(caller.ctx, [base.slice(-36)], {
        data: [],
        query: 'x',
        confidence: 0,
        belowThreshold: 0,
        scoredBy: 'hybrid',
        timings: { ...timings, totalMs },
        degraded: [],
      })
    for (let ms = 0; ms <= 100; ms += 1) record(ms)
    await platform.retrievals.flush()
    clockMs += dayMs
    await search(base, 'plum')
    await platform.retrievals.flush()
    const { body } = await call('GET', `/v1/bases/${base}/retrievals/stats`)
    expect(body.data).toEqual([
      {
        day: new Date(Date.now() + clockMs).toISOString().slice(0, 10),
        searches: 1,
        unanswered: 0,
        p50Ms: expect.any(Number),
        p95Ms: expect.any(Number),
      },
      { day: new Date(Date.now() + clockMs - dayMs).toISOString().slice(0, 10), searches: 101, unanswered: 101, p50Ms: 50, p95Ms: 95 },
    ])
    clockMs += 40 * dayMs
    expect((await call('GET', `/v1/bases/${base}/retrievals/stats`)).body.data).toEqual([])
    expect((await call('GET', `/v1/bases/${base}/retrievals/stats?since=2001-01-01T00:00:00Z`)).body.data).toHaveLength(2)
  })
})
