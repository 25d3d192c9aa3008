import type { SearchReply } from '@groundwork/api'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createLatencyEstimate } from '../../lib/latency-estimate.ts'
import { testApp } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { newBase } from '../../testing/sources.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'
import type { KnowledgeContext } from '../context.ts'
import { cachedQueries } from '../embed/cached-queries.ts'
import type { Embedder } from '../embed/embedder.ts'
import { budgetOf, withinTime, late } from './latency-budget.ts'
import { noteEventLoopDelay } from './latency-budget.ts'
import { searchBase } from './search-base.ts'

/** Signals of the calls that never resolve. */
let abandoned: AbortSignal[] = []
const endless = (signal: AbortSignal | undefined): Promise<never> => {
  if (signal !== undefined) abandoned.push(signal)
  return new Promise(() => undefined)
}
const hangingEmbedder: Embedder = { ...unitEmbedder, embed: (_texts, _purpose, signal) => endless(signal) }

const { organization } = await testApp({
  embedder: unitEmbedder,
  reranker: { rerank: (_query, _documents, signal) => endless(signal) },
})
const owner = await organization()
const base = await newBase(owner)
await addPassages(owner, base, ['a plum', 'a pear', 'two plums and a pear'])

beforeEach(() => {
  abandoned = []
})

const search = (input: object, ctx: Partial<KnowledgeContext> = {}): Promise<SearchReply> =>
  searchBase({ ...owner.ctx, ...ctx }, base.slice(-36), { query: 'plum', ...input })
const latencies = (usualMs: number) => ({
  search: { record: () => undefined, estimateMs: () => usualMs },
  deadlineOvershoot: createLatencyEstimate({ quantile: 0.98, initialMs: 1 }),
  eventLoopDelay: createLatencyEstimate({ quantile: 0.9, initialMs: 0 }),
})

describe('a search with a latency budget', () => {
  it('a search skips nothing while there is time', async () => {
    const { body } = await owner.call('POST', `/v1/bases/${base}/search`, { query: 'plum', latencyBudgetMs: 10_000, explain: true })
    expect([body.degraded, body.scoredBy, body.data.length]).toEqual([[], 'hybrid', 3])
    expect(body.data[0].explanation).toBeDefined()
  })

  it.each([{}, { hybridSearch: false }])('uses only full-text search if the embedding takes too long (%o)', async (asked) => {
    const reply = await search({ latencyBudgetMs: 10_000, ...asked }, { embedder: hangingEmbedder, searchLatencies: latencies(9_900) })
    expect([reply.degraded, reply.scoredBy, reply.data.map(({ text }) => text)]).toEqual([
      ['vector'],
      'lexical',
      ['a plum', 'two plums and a pear'],
    ])
    expect(abandoned.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('does not start the embedding if queued ones take too long', async () => {
    const crowded = { ...hangingEmbedder, expectedMs: () => 20_000 }
    const reply = await search({ latencyBudgetMs: 10_000 }, { embedder: crowded })
    expect([reply.degraded, reply.scoredBy]).toEqual([['vector'], 'lexical'])
    expect(abandoned).toEqual([])
  })

  it('uses a cached embedding and skips optional steps if the search takes longer than the remaining time', async () => {
    const hurrying = { searchLatencies: latencies(60_000), embedder: cachedQueries(unitEmbedder, 10) }
    await hurrying.embedder.embed(['plum'], 'query')
    const hurried = await search({ latencyBudgetMs: 5_000, neighbours: 2, explain: true, rerank: true }, hurrying)
    expect(hurried.degraded).toEqual(['rerank', 'neighbours', 'explain'])
    expect(hurried.data[0]).not.toHaveProperty('neighbours')
    expect(hurried.data[0]).not.toHaveProperty('explanation')
    expect(hurried.data).toHaveLength(3)
    expect((await search({ latencyBudgetMs: 5_000, neighbours: 0, explain: false }, hurrying)).degraded).toEqual([])
    expect((await search({ latencyBudgetMs: 5_000, query: 'pear' }, hurrying)).degraded).toEqual(['vector'])
  })

  it('keeps the scores of the search if the reranker takes too long', async () => {
    const plain = await search({})
    const reply = await search({ latencyBudgetMs: 3_000, rerank: true })
    expect([reply.degraded, reply.scoredBy]).toEqual([['rerank'], 'hybrid'])
    expect(reply.data).toEqual(plain.data)
    expect(abandoned.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('responds even if nothing is found in time, and does not count the question as unanswered', async () => {
    const asked = { query: 'which tree is it', latencyBudgetMs: 2_000, rerank: true }
    const reply = await search(asked, {
      indexes: { ...owner.ctx.indexes, find: () => endless(undefined) },
      searchLatencies: latencies(5),
    })
    expect([reply.degraded, reply.data]).toEqual([['rerank', 'search'], []])
    await owner.ctx.retrievals.flush()
    const list = async (path: string) => (await owner.call('GET', `/v1/bases/${base}/${path}`)).body.data
    expect((await list('retrievals'))[0]).toMatchObject({ query: asked.query, degraded: ['rerank', 'search'] })
    expect(await list('unanswered')).not.toContainEqual(expect.objectContaining({ question: asked.query }))
  })

  it('the budget starts when the request arrives', async () => {
    const reply = await search({ latencyBudgetMs: 5_000 }, { arrivedAt: performance.now() - 6_000 })
    expect(reply.degraded).toEqual(['vector', 'search'])
  })

  it('an unknown knowledge base is not found', async () => {
    const { status } = await owner.call('POST', `/v1/bases/kb_${crypto.randomUUID()}/search`, { query: 'plum', latencyBudgetMs: 10_000 })
    expect(status).toBe(404)
  })
})

it.each([0, 10_001, 1.5])('a budget of %d is refused', async (latencyBudgetMs) => {
  const { status, body } = await owner.call('POST', `/v1/bases/${base}/search`, { query: 'plum', latencyBudgetMs })
  expect([status, body.error.field]).toEqual([422, 'latencyBudgetMs'])
})

describe('work with a deadline', () => {
  it('is awaited until its deadline', async () => {
    expect(await withinTime(Infinity, async () => 1)).toBe(1)
    expect(await withinTime(60_000, async () => 2)).toBe(2)
    expect(await withinTime(-5, endless)).toBe(late)
    expect(abandoned).toEqual([])
    expect(await withinTime(5, endless)).toBe(late)
    expect(abandoned.map(({ aborted }) => aborted)).toEqual([true])
    await expect(withinTime(60_000, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  })
})

describe('the remaining latency budget', () => {
  const leftOf = (latencyBudgetMs: number, lateMs: number, turnMs: number): number => {
    const usually = (usualMs: number) => ({ record: () => undefined, estimateMs: () => usualMs })
    const searchLatencies = { search: usually(0), deadlineOvershoot: usually(lateMs), eventLoopDelay: usually(turnMs) }
    return budgetOf({ arrivedAt: performance.now(), searchLatencies }, latencyBudgetMs).leftMs()
  }

  it('reserves the usual overshoot and the usual event loop delay', () => {
    expect(leftOf(100_000, 0, 0)).toBeGreaterThan(90_000)
    expect(leftOf(100_000, 20_000, 0)).toBeLessThan(80_000)
    expect(leftOf(100_000, 20_000, 10_000)).toBeLessThan(60_000)
  })

  it('is never reserved entirely', () => {
    expect(leftOf(100_000, 90_000, 90_000)).toBeGreaterThan(20_000)
  })
})

it('notes the duration of one turn of the event loop', async () => {
  const eventLoopDelay = createLatencyEstimate({ quantile: 0.9, initialMs: 0 })
  noteEventLoopDelay(eventLoopDelay)
  setImmediate(() => {
    const until = performance.now() + 30
    while (performance.now() < until);
  })
  await vi.waitFor(() => expect(eventLoopDelay.estimateMs()).toBeGreaterThanOrEqual(29), { timeout: 120_000 })
})

describe('a latency estimate', () => {
  it('is a quantile of the latest durations', () => {
    const latest = createLatencyEstimate({ quantile: 0.9, initialMs: 5 })
    expect(latest.estimateMs()).toBe(5)
    for (let ms = 1; ms <= 10; ms += 1) latest.record(ms)
    expect(latest.estimateMs()).toBe(10)
    for (let count = 0; count < 48; count += 1) latest.record(1)
    latest.record(10_000)
    expect(latest.estimateMs()).toBe(1)
  })
})
