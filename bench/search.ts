import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program } from '@groundwork/e2e/program'
import { connectToRunning } from '@groundwork/server/db/embedded/embedded'
import { openBundledEmbedder } from '@groundwork/server/knowledge/embed/bundled'
import { join } from 'node:path'
import pg from 'pg'
import { evalFolder, inParallel, percentile, printTable, readTexts, withEnds } from './run.ts'

const wanted = Number(process.argv[2] ?? 10_000)
const queryCount = 400

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'warn' })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const base = await client.createBase('search')
  const chunks = await fill(client, base.id)
  const questions = (await readTexts(join(evalFolder(), 'sets/scifact-train/queries.jsonl'))).slice(0, queryCount).map(({ text }) => text)

  const over = async (callers: number): Promise<number[]> => {
    const times: number[] = []
    await inParallel(questions, callers, async (query) => {
      const started = performance.now()
      // Different text each time, so that the query's vector is not remembered from the round before.
      await client.search(base.id, `${query} (${callers} ${times.length})`, { topK: 10 })
      times.push(performance.now() - started)
    })
    return times
  }
  await over(2)
  const alone = await over(1)
  const crowded = await over(8)

  const embedder = await openBundledEmbedder({ threads: 1 })
  const vectors: Float32Array[] = []
  const embedding: number[] = []
  for (const query of questions) {
    const started = performance.now()
    vectors.push(...(await embedder.embed([query], 'query')))
    embedding.push(performance.now() - started)
  }
  await embedder.close()
  const scanning = await bareScan(groundwork.env, base.id, vectors)

  const row = (what: string, times: number[], yardstick?: number[]): string[] => [
    what,
    percentile(times, 0.5).toFixed(1),
    percentile(times, 0.95).toFixed(1),
    yardstick === undefined ? '' : (percentile(times, 0.5) / percentile(yardstick, 0.5)).toFixed(2),
  ]
  const together = embedding.map((ms, index) => ms + (scanning[index] ?? 0))
  printTable(
    `Search over HTTP in one base of ${chunks} chunks, ms, query embedding included (${engineName()})`,
    ['what', 'p50', 'p95', 'p50 / yardstick'],
    [
      row('yardstick: bare embedder, one query', embedding),
      row('yardstick: bare pgvector, exact scan of the same vectors', scanning),
      row('yardstick: both, one after the other', together),
      row('hybrid search, one caller', alone, together),
      row('hybrid search, eight callers', crowded, together),
    ],
  )
})

/** Adds documents of about 200 kB until the base has the wanted number of chunks; answers how many it has. */
async function fill(client: Client, baseId: string): Promise<number> {
  const texts = ['scifact-train', 'squad-dev-open', 'cranfield'].map((set) => readTexts(join(evalFolder(), 'sets', set, 'corpus.jsonl')))
  const sections = (await Promise.all(texts)).flat().map(({ title, text }) => `## ${title ?? ''}\n\n${text}`)
  let next = 0
  for (;;) {
    const { stats } = await client.call<{ stats: { chunks: number } }>('GET', `/v1/bases/${baseId}`)
    process.stderr.write(`${stats.chunks} chunks\n`)
    if (stats.chunks >= wanted) return stats.chunks
    const sources = []
    for (let document = 0; document < 4; document += 1) {
      const part = Array.from({ length: 130 }, () => sections[next++ % sections.length]).join('\n\n')
      sources.push(await client.addFile(baseId, `${next}.md`, 'text/markdown', Buffer.from(part)))
    }
    for (const source of sources) await client.settled(baseId, source.id, 600_000)
  }
}

/** The nearest ten of the same vectors by the plainest statement, on one connection. */
async function bareScan(env: Record<string, string>, baseId: string, vectors: Float32Array[]): Promise<number[]> {
  const stream = env['DATABASE_URL'] === undefined ? await connectToRunning(join(env['DATA_DIR'] ?? '', 'db')) : null
  const db = new pg.Client(stream === null ? { connectionString: env['DATABASE_URL'] } : { stream })
  await db.connect()
  const times: number[] = []
  for (const vector of vectors) {
    const started = performance.now()
    await db.query({
      name: 'nearest',
      text: 'select generation, ordinal from chunk_embedding where base_id = $1 order by embedding <=> $2::vector limit 10',
      values: [baseId.slice(-36), `[${vector.join(',')}]`],
    })
    times.push(performance.now() - started)
  }
  await db.end()
  return times
}
