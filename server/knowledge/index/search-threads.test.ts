import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import { testApp } from '../../testing/app.ts'
import { direction, indexedBases, random, randomTexts } from '../../testing/indexed-bases.ts'
import type { Hit } from '../search/search-chunks.ts'
import { comparedModel } from './compared-model.ts'
import type { IndexQuery } from './find-chunks.ts'
import { searchIndexes, type SearchIndexes } from './search-indexes.ts'
import { readSearchScope } from './search-scope.ts'
import { searchThreads } from './search-threads.ts'

const app = await testApp()
const { platform } = app
const newBase = indexedBases(app)
const next = random(5)
const randomText = randomTexts(next)
const warnings: string[] = []
const workers: Worker[] = []
let threads: SearchIndexes

beforeAll(() => {
  process.on('worker', (worker) => workers.push(worker))
  threads = searchThreads({
    threads: 2,
    maxBytes: 1e9,
    files: null,
    indexFiles: null,
    minChunks: 0,
    contextOf: (organizationId) => ({ ...platform, organizationId }),
    log: { warn: (_fields, message) => void warnings.push(message) },
  })
})
afterAll(() => threads.close())

const texts = (count: number) => Array.from({ length: count }, () => ({ text: randomText(), vector: direction(next() * 3) }))
const told = (hits: readonly Hit[]) => hits.map(({ chunkId, score }) => `${chunkId} ${score.toFixed(9)}`)

type Base = Awaited<ReturnType<typeof newBase>>

async function filledBase(): Promise<Base> {
  const base = await newBase()
  await base.add(texts(40))
  await base.add(texts(30), { language: 'de' })
  return base
}

const indexQuery = async ({ ctx, baseId }: Base, changes: Partial<IndexQuery> = {}): Promise<IndexQuery> => ({
  baseIds: [baseId],
  scope: await readSearchScope(ctx, [baseId], {}),
  compared: [{ model: comparedModel(ctx.embedder), vector: direction(0.2), competence: 1 }],
  queryText: 'term0 term3',
  partial: false,
  earlierText: '',
  topK: 5,
  lexical: true,
  perSourceLimit: null,
  explain: true,
  ...changes,
})

it('finds the same passages with the same scores as a search in the thread of the caller, also at the same time', async () => {
  const bases = await Promise.all([filledBase(), filledBase(), filledBase()])
  const asked = Array.from({ length: 30 }, (_, at) => ({
    base: bases[at % bases.length] as Base,
    query: {
      queryText: randomText(),
      queryVector: at % 5 === 0 ? null : direction(next() * 3),
      topK: 20,
      ...(at % 3 === 0 && { perSourceLimit: 4 }),
      ...(at % 4 === 0 && { partial: true }),
      ...(at % 7 === 0 && { earlierText: randomText() }),
    },
  }))
  const local = searchIndexes({ maxBytes: 1e9 })
  const expected = []
  for (const { base, query } of asked) expected.push(told(await base.search(query, local)))
  const found = await Promise.all(asked.map(async ({ base, query }) => told(await base.search(query, threads))))
  expect(found).toEqual(expected)
  expect(workers).toHaveLength(2)
  expect(threads.memory().indexes).toBeGreaterThanOrEqual(bases.length)
})

it('finds additions at once, and no deleted source', async () => {
  const base = await filledBase()
  const query = { queryText: 'tandem', queryVector: direction(0), topK: 10 }
  await base.search(query, threads)
  const added = await base.add([{ text: 'a tandem', vector: direction(0) }])
  const [first] = await base.search(query, threads)
  expect(first?.text).toBe('a tandem')
  await base.within((trx) => trx.deleteFrom('source').where('id', '=', added.sourceId).execute())
  expect((await base.search(query, threads)).map(({ text }) => text)).not.toContain('a tandem')
})

it('rejects with the error of the main thread', async () => {
  const base = await filledBase()
  const failure = new AppError('unavailable', 'no database')
  const db = { select: () => Promise.reject(failure), transaction: () => Promise.reject(failure) }
  const query = await indexQuery(base)
  await expect(threads.find({ ...base.ctx, db }, query)).rejects.toBe(failure)
  expect((await threads.find(base.ctx, query)).chunks).toHaveLength(5)
})

it('an aborted search is not ranked', async () => {
  const base = await filledBase()
  await expect(threads.find(base.ctx, await indexQuery(base), AbortSignal.abort())).rejects.toThrow('aborted')
})

it('forgets a deleted organization', async () => {
  const base = await filledBase()
  await base.search({ queryText: 'term0' }, threads)
  const before = threads.memory().indexes
  threads.evictOrganization(base.organizationId)
  await expect.poll(() => threads.memory().indexes).toBeLessThan(before)
})

it('a thread that ends is replaced, and its searches are repeated', async () => {
  const base = await filledBase()
  const query = await indexQuery(base)
  const before = await threads.find(base.ctx, query)
  const searching = Array.from({ length: 4 }, () => threads.find(base.ctx, query))
  await Promise.all(workers.map((worker) => worker.terminate()))
  for (const found of await Promise.all(searching)) expect(found.chunks).toEqual(before.chunks)
  expect((await threads.find(base.ctx, query)).chunks).toEqual(before.chunks)
  expect(warnings).toContain('a search thread ended; the next search starts another')
})
