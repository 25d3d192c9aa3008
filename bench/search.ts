import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program } from '@groundwork/e2e/program'
import { openBundledEmbedder } from '@groundwork/server/knowledge/embed/bundled'
import { join } from 'node:path'
import { Pool } from 'undici'
import { openFilling, type Filling } from './fill.ts'
import { comparePeers } from './peers/compare.ts'
import { evalFolder, inParallel, percentile, printTable, readTexts, withEnds } from './run.ts'

const parts = process.argv.slice(2)
const isSelected = (part: string): boolean => parts.length === 0 || parts.includes(part)

const filter = { key: 'part', in: [0, 1, 2, 3, 4, 5, 6] }

const uuidOf = ({ id }: { id: string }): string => id.slice(-36)

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'warn' })
  await groundwork.start()
  const { token, organizationId } = await createToken(groundwork)
  const client = new Client(groundwork.url, token)
  const filling = await openFilling(groundwork, organizationId.slice(-36), uuidOf(await client.createBase('seeds')))
  atEnd(() => filling.close())
  const questions = await readQuestions()

  const pool = new Pool(groundwork.url, { connections: 8 })
  atEnd(() => pool.close())
  const searchers: Searchers = (options) => (baseId, question) => sendSearch(pool, token, baseId, { query: question, topK: 10, ...options })

  if (isSelected('many')) await manyBases(client, filling, questions, searchers)
  if (parts.includes('large')) await largeBases(client, filling, questions, searchers)
  if (isSelected('peers')) await comparePeers(client, filling, questions, Number(parts.find((part) => /^\d+$/.test(part)) ?? 10_000))
})

type Ask = (baseId: string, question: string) => Promise<Hits>
type Searchers = (options: object) => Ask

interface Hits {
  readonly data: readonly { readonly chunkId: string }[]
}

/** Sends a request over kept connections without the SDK, so that the client hardly affects the measurement. */
async function sendSearch(pool: Pool, token: string, baseId: string, body: object): Promise<Hits> {
  const { statusCode, body: reply } = await pool.request({
    method: 'POST',
    path: `/v1/bases/${baseId}/search`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`)
  return JSON.parse(text) as Hits
}

/** Returns questions of two sets alternately, so that a round has both kinds. */
async function readQuestions(): Promise<string[]> {
  const sets = await Promise.all(
    ['squad-dev-open', 'scifact-train'].map((set) => readTexts(join(evalFolder(), `sets/${set}/queries.jsonl`))),
  )
  return Array.from({ length: 800 }, (_, at) => sets.flatMap((set) => set[at]?.text ?? [])).flat()
}

async function manyBases(client: Client, filling: Filling, questions: readonly string[], searchers: Searchers): Promise<void> {
  const bases: string[] = []
  for (let count = 0; count < 50; count++) bases.push(await filled(client, filling, 2_000))
  const search = searchers({ filter })
  const cold = await timed(bases, questions.slice(0, 50), 1, search)
  // The first thousands of calls are compiled meanwhile. Each question is new.
  for (let round = 0; round < 8; round++) {
    const warming = questions.slice(50, 500).map((question) => `${question} ${round}`)
    await timed(bases, warming, 8, search)
  }
  const alone = await timed(bases, questions.slice(500, 800), 1, search)
  const crowded = await timed(bases, questions.slice(800, 1_600), 8, search)
  printTable(
    `Hybrid search over HTTP, 100,000 chunks over 50 bases, under a filter, milliseconds, embedding of the question included (${engineName()})`,
    ['what', 'p50', 'p95', 'p99'],
    [
      row('yardstick: bare embedder, one question', await bareEmbedder(questions.slice(0, 300))),
      row('first question to each base', cold),
      row('one caller', alone),
      row('eight callers', crowded),
    ],
  )
}

async function largeBases(client: Client, filling: Filling, questions: readonly string[], searchers: Searchers): Promise<void> {
  const sizes = [10_000, 1_000_000]
  const rows = []
  for (const size of sizes) {
    const base = await filled(client, filling, size)
    const cold = await timed([base], questions.slice(0, 1), 1, searchers({}))
    // Waits until the inverted index is in memory. It is loaded in the background: about 90 seconds for a million chunks.
    for (const warm = Date.now() + size / 10; Date.now() < warm;) await timed([base], questions.slice(1, 600), 2, searchers({}))
    rows.push(
      row(`${size} chunks, first question`, cold),
      row(`${size} chunks, one caller`, await timed([base], questions.slice(600, 900), 1, searchers({}))),
      row(`${size} chunks, one caller, under a filter`, await timed([base], questions.slice(900, 1_100), 1, searchers({ filter }))),
      row(`${size} chunks, eight callers`, await timed([base], questions.slice(1_100, 1_400), 8, searchers({}))),
      [
        `${size} chunks, recall@10 of vectors against an exact scan`,
        (await recall(filling, base, questions.slice(1_400, 1_450), searchers)).toFixed(3),
        '',
        '',
      ],
    )
  }
  printTable(
    `Hybrid search over HTTP in one base, milliseconds, embedding of the question included (${engineName()})`,
    ['what', 'p50', 'p95', 'p99'],
    rows,
  )
}

async function filled(client: Client, filling: Filling, chunks: number): Promise<string> {
  const base = await client.createBase(`${chunks} chunks`)
  await filling.fill(uuidOf(base), chunks)
  process.stderr.write(`a base of ${chunks} chunks\n`)
  return base.id
}

/** Returns recall@10 of a vector-only search. */
async function recall({ db }: Filling, baseId: string, questions: readonly string[], searchers: Searchers): Promise<number> {
  const embedder = await openBundledEmbedder({ processes: 1 })
  let found = 0
  for (const question of questions) {
    const [vector] = await embedder.embed([question], 'query')
    const { rows } = await db.pool.query<{ id: string }>(
      `select c.id from (
         select generation, ordinal from chunk_embedding where base_id = $1 order by (embedding <#> $2::vector) + 0 limit 10
       ) as nearest join chunk c using (generation, ordinal)`,
      [baseId.slice(-36), `[${vector?.join(',')}]`],
    )
    const { data } = await searchers({ hybridSearch: false, collapseDuplicates: false })(baseId, question)
    found += data.filter(({ chunkId }) => rows.some(({ id }) => chunkId.endsWith(id))).length
  }
  await embedder.close()
  return found / (10 * questions.length)
}

async function bareEmbedder(questions: readonly string[]): Promise<number[]> {
  const embedder = await openBundledEmbedder({ processes: 1 })
  const times = await timed([''], questions, 1, (_, question) => embedder.embed([question], 'query'))
  await embedder.close()
  return times
}

async function timed(
  bases: readonly string[],
  questions: readonly string[],
  callers: number,
  search: (baseId: string, question: string) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  let sent = 0
  await inParallel(questions, callers, async (question) => {
    const started = performance.now()
    await search(bases[sent++ % bases.length] ?? '', question)
    times.push(performance.now() - started)
  })
  return times
}

function row(what: string, times: readonly number[]): string[] {
  return [what, ...[0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(1))]
}
