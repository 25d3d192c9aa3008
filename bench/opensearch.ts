import { Client, type Hit } from '@groundwork/e2e/client'
import { openSearchCluster } from '@groundwork/e2e/opensearch-cluster'
import { postgresServer } from '@groundwork/e2e/postgres'
import { createToken, freePort, program } from '@groundwork/e2e/program'
import { randomOf } from '@groundwork/server/testing/random'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openFilling } from './fill.ts'
import { evalFolder, inParallel, percentile, printTable, readTexts, withEnds } from './run.ts'

const chunks = Number(process.argv[2] ?? 100_000)
const questionCount = Number(process.argv[3] ?? 500)
const callers = 4
const topK = 10

await withEnds(async (atEnd) => {
  const server = await postgresServer(atEnd)
  await server.start()
  const cluster = await openSearchCluster(atEnd, { heapMb: chunks > 300_000 ? 2_048 : 1_024 })
  const searchUrl = `opensearch://${cluster.urls.map((url) => new URL(url).host).join(',')}/bench?tls=false`
  const worker = await program(atEnd, { DATABASE_URL: server.url, SEARCH_URL: searchUrl, ROLE: 'worker' }, 'none')
  await worker.start()
  const other = async (env: Record<string, string>) => {
    const started = await program(atEnd, { ...worker.env, ROLE: 'api', PORT: String(await freePort()), ...env })
    await started.start()
    return started
  }
  const apis = [await other({}), await other({})]
  // In memory: an empty setting counts as none.
  const { SEARCH_URL: _, ...withoutEngine } = worker.env
  const memory = await program(atEnd, { ...withoutEngine, ROLE: 'api', PORT: String(await freePort()), SEARCH_MEMORY_MB: '4000' })
  await memory.start()
  const { token, organizationId } = await createToken(worker)
  const clients = apis.map(({ url }) => new Client(url, token))
  const inMemory = new Client(memory.url, token)
  const seeds = await inMemory.createBase('seeds')
  const base = await inMemory.createBase('bench')
  const filling = await openFilling({ ...worker }, organizationId.slice(-36), seeds.id.slice(-36))
  const filledAt = performance.now()
  for (let left = chunks; left > 0; left -= 10_000) {
    await filling.fill(base.id.slice(-36), Math.min(left, 10_000))
    process.stderr.write(`${left} chunks left to fill\n`)
  }
  const fillSeconds = (performance.now() - filledAt) / 1_000
  const waiting = async (): Promise<number> =>
    (await filling.db.pool.query<{ count: number }>('select count(*)::integer as count from search_outbox')).rows[0]?.count ?? 0
  for (let left = await waiting(); left > 0; left = await waiting()) {
    process.stderr.write(`${left} sources left to index\n`)
    await pause(2_000)
  }
  const indexSeconds = (performance.now() - filledAt) / 1_000

  const texts = (
    await Promise.all(
      ['squad-dev-open', 'scifact-train', 'cranfield'].map((set) => readTexts(join(evalFolder(), `sets/${set}/queries.jsonl`))),
    )
  ).flat()
  const random = randomOf(11)
  const questions = Array.from({ length: questionCount }, () => random.of(texts).text)
  const filters = [undefined, { key: 'part', eq: 3 }, { key: 'part', in: [1, 2, 5] }]
  const rows: (readonly [string, string | number])[] = [
    ['chunks', chunks],
    ['seconds until filled, and until indexed', `${fillSeconds.toFixed(0)}, ${indexSeconds.toFixed(0)}`],
  ]
  for (const filter of filters) {
    const options = { topK, ...(filter && { filter }), collapseDuplicates: false }
    const [own, engine]: [Hit[][], Hit[][]] = [[], []]
    const [ownMs, engineMs]: [number[], number[]] = [[], []]
    const timed = async (ms: number[], client: Client, query: string): Promise<Hit[]> => {
      const from = performance.now()
      const hits = await client.search(base.id, query, options)
      ms.push(performance.now() - from)
      return hits
    }
    await inParallel([...questions.keys()], callers, async (at) => void (own[at] = await timed(ownMs, inMemory, questions[at] ?? '')))
    await inParallel([...questions.keys()], callers, async (at) => {
      engine[at] = await timed(engineMs, clients[at % 2] ?? inMemory, questions[at] ?? '')
    })
    const ids = (hits: readonly Hit[] = []): string => hits.map(({ chunkId }) => chunkId).join(' ')
    const set = (hits: readonly Hit[] = []): string =>
      hits
        .map(({ chunkId }) => chunkId)
        .toSorted()
        .join(' ')
    const scores = (hits: readonly Hit[] = []): string => hits.map(({ score }) => score.toFixed(4)).join(' ')
    const equal = own.filter((hits, at) => ids(hits) === ids(engine[at])).length
    const sameSet = own.filter((hits, at) => set(hits) === set(engine[at])).length
    const sameScores = own.filter((hits, at) => scores(hits) === scores(engine[at])).length
    const name = JSON.stringify(filter ?? 'no filter')
    rows.push(
      [`${name}: same top ${topK}, in order`, `${equal} of ${questionCount}`],
      [`${name}: same top ${topK}, as a set`, `${sameSet} of ${questionCount}`],
      [`${name}: same scores`, `${sameScores} of ${questionCount}`],
      [`${name}: p50, p95 in memory`, `${percentile(ownMs, 0.5).toFixed(0)}, ${percentile(ownMs, 0.95).toFixed(0)} ms`],
      [`${name}: p50, p95 in OpenSearch`, `${percentile(engineMs, 0.5).toFixed(0)}, ${percentile(engineMs, 0.95).toFixed(0)} ms`],
    )
    const differing = own.findIndex((hits, at) => set(hits) !== set(engine[at]))
    if (differing >= 0 && process.env['SHOW'] === 'yes')
      process.stderr.write(`${questions[differing]}\n${show(own[differing])}\n${show(engine[differing])}\n`)
  }
  printTable(
    'Search in OpenSearch',
    ['measured', 'value'],
    rows.map(([name, value]) => [name, String(value)]),
  )
  await filling.close()
})

const show = (hits: readonly Hit[] = []): string =>
  hits
    .map(
      ({ chunkId, score, scores }) => `${chunkId.slice(-6)} ${score.toFixed(5)} ${scores.vector?.toFixed(4)} ${scores.lexical?.toFixed(4)}`,
    )
    .join('\n')
