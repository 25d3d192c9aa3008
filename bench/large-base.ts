import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program, type Program } from '@groundwork/e2e/program'
import { openBundledEmbedder } from '@groundwork/server/knowledge/embed/bundled'
import { openIndexFile } from '@groundwork/server/knowledge/index/index-file'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hasIndexFile, openFilling } from './fill.ts'
import { memoryOf } from './process-memory.ts'
import { evalFolder, percentile, printTable, readTexts, withEnds } from './run.ts'

const chunks = Number(process.argv[2] ?? 10_000_000)
const dimensions = 384
/** The vectors of these questions are compared with all vectors. */
const exactQuestions = 25
const topK = 10
/** Vectors in a file have 16-bit components, so cosines are exact to about this. */
const cosineError = 3e-5
/** Reading ten million chunks from the database takes minutes. */
const firstSearchMs = 3_600_000
const megabyte = 2 ** 20

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, {
    LOG_LEVEL: 'warn',
    INDEX_DISK_GB: '100',
  })
  await groundwork.start()
  const { token, organizationId } = await createToken(groundwork)
  const client = new Client(groundwork.url, token)
  const seeds = await client.createBase('seeds')
  const { id: base } = await client.createBase(`${chunks} chunks`)
  const filling = await openFilling(groundwork, organizationId.slice(-36), seeds.id.slice(-36))
  await filling.fill(base.slice(-36), chunks)
  await filling.close()
  const questions = (await readTexts(join(evalFolder(), 'sets/squad-dev-open/queries.jsonl'))).map(({ text }) => text)
  const search = (query: string, options: object = {}) =>
    client.api.bases.search(base, { query, topK, ...options }, { timeoutMs: firstSearchMs })

  const began = performance.now()
  // The second search lets the inverted index be read.
  for (const question of questions.slice(0, 2)) await search(question)
  while (!(await hasIndexFile(groundwork))) await pause(1_000)
  const builtSeconds = (performance.now() - began) / 1_000
  const buildMb = await groundwork.peakMb()

  await groundwork.stop()
  await groundwork.start()
  const idleMb = await memoryOf(groundwork.pid())
  const timed = async (some: readonly string[], options?: object): Promise<number[]> => {
    const times: number[] = []
    for (const question of some) {
      const from = performance.now()
      await search(question, options)
      times.push(performance.now() - from)
    }
    return times
  }
  const [first = Number.NaN] = await timed(questions.slice(2, 3))
  // The file cache of the machine warms.
  await timed(questions.slice(3, 200))
  const hybrid = await timed(questions.slice(200, 500))
  const vectors = await timed(questions.slice(500, 600), { hybridSearch: false })
  const extraMb = (await memoryOf(groundwork.pid())) - idleMb
  const compared = questions.slice(600, 600 + exactQuestions)
  const found: number[][] = []
  for (const question of compared) {
    const { data } = await search(question, { hybridSearch: false, explain: true, collapseDuplicates: false })
    found.push(data.map(({ explanation }) => explanation?.cosine ?? -1))
  }
  await groundwork.stop()
  const file = await indexFileOf(groundwork)
  const recall = await recallOf(file, compared, found)
  printTable(
    `One knowledge base of ${chunks} chunks, one caller, over HTTP (${engineName()})`,
    ['what', 'measured'],
    [
      ['index from the database and to its file, s', builtSeconds.toFixed(0)],
      ['memory of the program meanwhile, MB', buildMb?.toFixed(0) ?? '–'],
      ['file, MB', ((await stat(file)).size / megabyte).toFixed(0)],
      ['first search after a start, ms', first.toFixed(0)],
      ['memory for the index, MB', extraMb.toFixed(0)],
      ['hybrid search, p50 / p95, ms', both(hybrid)],
      ['vector search, p50 / p95, ms', both(vectors)],
      [`recall of the ten nearest vectors (${exactQuestions} questions)`, recall.toFixed(3)],
    ],
  )
})

function both(times: readonly number[]): string {
  return `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.95).toFixed(1)}`
}

async function indexFileOf({ env }: Program): Promise<string> {
  const folder = join(env['DATA_DIR'] ?? '', 'index')
  const name = (await readdir(folder, { recursive: true })).find((each) => each.endsWith('.index'))
  return join(folder, name ?? '')
}

/** Returns how many of the nearest vectors in the file the searches found, by their cosines, as a fraction. */
async function recallOf(path: string, questions: readonly string[], found: readonly (readonly number[])[]): Promise<number> {
  const embedder = await openBundledEmbedder({ processes: 1 })
  const queries = await embedder.embed(questions, 'query')
  await embedder.close()
  const file = await openIndexFile(path)
  const { vectors, size } = await file.readIndex(true)
  if (vectors?.dimensions !== dimensions) throw new Error('the file has no vectors of the bundled model')
  let recalled = 0
  for (const [at, query] of queries.entries()) {
    vectors.setQuery(query)
    const cosines = new Float32Array(size)
    vectors.cosines(0, size, cosines)
    cosines.sort()
    const limit = (cosines.at(-topK) ?? 0) - cosineError
    recalled += Math.min(topK, (found[at] ?? []).filter((cosine) => cosine >= limit).length)
  }
  return recalled / (topK * questions.length)
}
