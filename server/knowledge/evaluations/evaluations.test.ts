import type { Evaluation, EvaluationResult } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { testApp, type Called } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { newBase } from '../../testing/sources.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'
import { searchBase } from '../search/search-base.ts'
import { evaluate } from './evaluate.ts'
import { compare } from './measure.ts'
import { evaluateBaseWork } from './work.ts'

const { organization, database, platform } = await testApp({ embedder: unitEmbedder })
const caller = await organization()
const { call, ctx } = caller

/** A base with a passage of each fruit, a source each, and a question to each. */
async function orchard(fruits: readonly string[]) {
  const base = await newBase(caller, { topK: 2 })
  const sources: Record<string, string> = {}
  for (const fruit of fruits) sources[fruit] = await addPassages(caller, base, [`the ${fruit} is ripe in autumn`])
  const ask = async (question: string, expected: object): Promise<string> =>
    (await call('POST', `/v1/bases/${base}/questions`, { question, ...expected })).body.id
  return { base, sources, ask }
}

const start = (base: string, body: object = {}): Promise<Called> => call('POST', `/v1/bases/${base}/evaluations`, body)
const work = (id: string): Promise<void> => evaluateBaseWork.run(ctx, { evaluationId: id.slice(-36) })
const read = async (base: string, id: string): Promise<Evaluation & { results: EvaluationResult[] }> =>
  (await call('GET', `/v1/bases/${base}/evaluations/${id}`)).body

async function completed(base: string, body: object = {}) {
  const started = await start(base, body)
  expect(started.status).toBe(201)
  await work(started.body.id)
  return read(base, started.body.id)
}

describe('an evaluation', () => {
  it('searches for every saved question and measures the results', async () => {
    const { base, sources, ask } = await orchard(['plum', 'quince', 'medlar'])
    const ids = [
      await ask('plum', { expectedSourceIds: [sources['plum']] }),
      await ask('quince', { expectedSourceIds: [sources['quince'], sources['plum'], sources['medlar']] }),
      await ask('medlar', { expectedText: 'THE  medlar is' }),
      await ask('plum', { expectedSourceIds: [sources['plum']], expectedText: 'in winter' }),
    ]
    const { status, body: started } = await start(base, { note: 'first' })
    expect([status, started]).toMatchObject([
      201,
      {
        status: 'queued',
        note: 'first',
        settings: { topK: 2, similarityThreshold: 0, hybridSearch: true, rerank: false },
        progress: { done: 0, total: 4 },
        recall: null,
      },
    ])
    expect((await read(base, started.id)).results).toEqual([])
    await work(started.id)
    const run = await read(base, started.id)
    expect(run.results.map(({ questionId }) => questionId)).toEqual(ids)
    expect(run.results.map(({ rank, recall }) => [rank, recall])).toEqual([
      [1, 1],
      [1, 2 / 3],
      [1, 1],
      // The source is found, but no passage with the text.
      [null, 1],
    ])
    expect(run).toMatchObject({
      status: 'completed',
      progress: { done: 4, total: 4 },
      found: 3,
      mrr: 0.75,
      degraded: 0,
      skipped: 0,
      previousId: null,
      changes: null,
    })
    expect(run.recall).toBeCloseTo((1 + 2 / 3 + 1 + 1) / 4, 10)
    expect(run.results.every(({ change, bestScore }) => change === null && (bestScore ?? 0) > 0.2)).toBe(true)
    const { results: _results, ...listed } = run
    expect((await call('GET', `/v1/bases/${base}/evaluations`)).body.data).toEqual([listed])
    // Its searches are not logged.
    await platform.retrievals.flush()
    expect((await call('GET', `/v1/bases/${base}/retrievals`)).body.data).toEqual([])
  })

  it('reports better, worse, equal and new questions since the previous run', async () => {
    const { base, sources, ask } = await orchard(['plum', 'quince'])
    const lost = await ask('plum', { expectedSourceIds: [sources['plum']] })
    const kept = await ask('quince', { expectedSourceIds: [sources['quince']] })
    const gained = await ask('medlar', { expectedText: 'the medlar' })
    const edited = await ask('plum', { expectedText: 'plum' })
    const before = await completed(base)
    await call('PATCH', `/v1/bases/${base}/sources/${sources['plum']}`, { enabled: false })
    await addPassages(caller, base, ['the medlar is ripe in autumn'])
    await call('PATCH', `/v1/bases/${base}/questions/${edited}`, { expectedText: 'autumn' })
    const run = await completed(base)
    expect(run).toMatchObject({ previousId: before.id, changes: { better: 1, worse: 1, same: 1, new: 1 } })
    expect(
      Object.fromEntries(run.results.map(({ questionId, previousRank, rank, change }) => [questionId, [previousRank, rank, change]])),
    ).toEqual({
      [lost]: [1, null, 'worse'],
      [kept]: [1, 1, 'same'],
      [gained]: [null, 1, 'better'],
      [edited]: [null, 1, 'new'],
    })
    expect((await call('DELETE', `/v1/bases/${base}/evaluations/${before.id}`)).status).toBe(204)
    expect((await read(base, run.id)).changes).toEqual(run.changes)
    expect((await call('GET', `/v1/bases/${base}/evaluations/${before.id}`)).status).toBe(404)
  })

  it('searches with the given options', async () => {
    const { base, sources, ask } = await orchard(['plum', 'quince'])
    await ask('plum', { expectedSourceIds: [sources['plum'], sources['quince']] })
    expect(await completed(base, { topK: 1 })).toMatchObject({ settings: { topK: 1 }, recall: 0.5 })
    expect(await completed(base, { similarityThreshold: 1 })).toMatchObject({ recall: 0, found: 0, changes: { worse: 1 } })
    expect(await completed(base, { hybridSearch: false, topK: 100 })).toMatchObject({ settings: { hybridSearch: false }, recall: 1 })
    for (const [field, body] of [
      ['topK', { topK: 0 }],
      ['similarityThreshold', { similarityThreshold: 2 }],
      ['topk', { topk: 1 }],
    ] as const)
      expect(await start(base, body)).toMatchObject({ status: 422, body: { error: { field } } })
  })

  it('omits questions without remaining expected sources, and is refused if none is left', async () => {
    const { base, sources, ask } = await orchard(['plum', 'quince'])
    expect(await start(base)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
    await ask('plum', { expectedSourceIds: [sources['plum']] })
    await ask('quince', { expectedSourceIds: [sources['quince']] })
    await call('DELETE', `/v1/bases/${base}/sources/${sources['plum']}`)
    expect(await completed(base)).toMatchObject({ skipped: 1, progress: { done: 1, total: 1 }, recall: 1 })
    await call('DELETE', `/v1/bases/${base}/sources/${sources['quince']}`)
    expect((await start(base)).status).toBe(409)
  })

  it('continues after a killed worker, and has the same result when it runs twice', async () => {
    const { base, ask } = await orchard(['plum'])
    for (let n = 0; n < 45; n += 1) await ask('plum', { expectedText: 'plum' })
    const { body } = await start(base)
    let asked = 0
    const dying = {
      ...ctx,
      embedder: {
        ...unitEmbedder,
        embed: (...args: Parameters<typeof unitEmbedder.embed>) => {
          asked += 1
          // As far as the worker can tell, it dies in its second batch.
          if (asked > 30) ctx.db.transaction = () => Promise.reject(new Error('killed'))
          return unitEmbedder.embed(...args)
        },
      },
    }
    const reachable = { ...database }
    await expect(evaluateBaseWork.run(dying, { evaluationId: body.id.slice(-36) })).rejects.toThrow('killed')
    Object.assign(database, reachable)
    expect(await read(base, body.id)).toMatchObject({ status: 'running', progress: { done: 20, total: 45 } })
    await Promise.all([work(body.id), work(body.id)])
    const run = await read(base, body.id)
    expect([run.status, run.progress, run.mrr, run.results.length]).toEqual(['completed', { done: 45, total: 45 }, 1, 45])
    await work(body.id)
    expect(await read(base, body.id)).toEqual(run)
  })

  it('stops before the next question when the program shuts down', async () => {
    const { base, ask } = await orchard(['plum'])
    await ask('plum', { expectedText: 'plum' })
    const { body } = await start(base)
    const ended = evaluateBaseWork.run(ctx, { evaluationId: body.id.slice(-36) }, AbortSignal.abort(new Error('shutting down')))
    await expect(ended).rejects.toThrow('shutting down')
    expect(await read(base, body.id)).toMatchObject({ status: 'running', progress: { done: 0, total: 1 } })
    await work(body.id)
    expect((await read(base, body.id)).status).toBe('completed')
  })

  it('reports degraded searches, and fails with a reason after the last attempt', async () => {
    const { base, ask } = await orchard(['plum'])
    await ask('plum', { expectedText: 'plum' })
    const { ctx: of } = caller
    const blind = { ...of, embedder: { ...unitEmbedder, embed: () => Promise.reject(new Error('no model')) } }
    const first = await start(base)
    await evaluateBaseWork.run(blind, { evaluationId: first.body.id.slice(-36) })
    expect(await read(base, first.body.id)).toMatchObject({ status: 'completed', degraded: 1, found: 1 })
    const second = await start(base, { hybridSearch: false })
    await expect(evaluateBaseWork.run(blind, { evaluationId: second.body.id.slice(-36) })).rejects.toThrow('could not be embedded')
    expect(await read(base, second.body.id)).toMatchObject({ status: 'running', error: expect.stringContaining('could not be embedded') })
    await evaluateBaseWork.abandoned?.(of, { evaluationId: second.body.id.slice(-36) })
    expect(await read(base, second.body.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('could not be embedded'),
      recall: null,
    })
    // A failed run is none to compare with.
    expect(await completed(base)).toMatchObject({ previousId: first.body.id })
  })

  it('ends when it or its knowledge base is deleted', async () => {
    const { base, ask } = await orchard(['plum'])
    await ask('plum', { expectedText: 'plum' })
    const [one, other] = [await start(base), await start(base)]
    await call('DELETE', `/v1/bases/${base}/evaluations/${one.body.id}`)
    await work(one.body.id)
    expect((await call('DELETE', `/v1/bases/${base}`)).status).toBe(204)
    await work(other.body.id)
    for (const table of ['evaluation', 'evaluation_result', 'evaluation_question']) {
      const { rows } = await database.pool.query(`select 1 from ${table} where base_id = $1`, [base.slice(-36)])
      expect([table, rows]).toEqual([table, []])
    }
  })
})

describe('evaluate', () => {
  it('evaluates the given index and stores nothing', async () => {
    const { base, sources, ask } = await orchard(['plum', 'quince'])
    await ask('plum', { expectedSourceIds: [sources['plum']] })
    await ask('quince', { expectedSourceIds: [sources['quince']] })
    const id = base.slice(-36)
    const live = await evaluate(ctx, id)
    expect(live).toMatchObject({ recall: 1, mrr: 1, found: 2, skipped: 0 })
    const other = await evaluate(ctx, id, {
      topK: 1,
      search: async (asking, baseId, input) => (input.query === 'plum' ? { data: [], degraded: [] } : searchBase(asking, baseId, input)),
    })
    expect(other).toMatchObject({ recall: 0.5, mrr: 0.5, found: 1 })
    expect(compare(live.judged, other.judged).changes).toEqual({ better: 0, worse: 1, same: 1, new: 0 })
    expect((await call('GET', `/v1/bases/${base}/evaluations`)).body.data).toEqual([])
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(evaluate(ctx, id, { signal: stopped })).rejects.toThrow('stopped')
  })
})
