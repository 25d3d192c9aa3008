import { Client } from '@groundwork/e2e/client'
import { openObjectStorage } from '@groundwork/e2e/object-storage'
import { createToken, engineName, program, type Program } from '@groundwork/e2e/program'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hasIndexFile, openFilling } from './fill.ts'
import { memoryOf } from './process-memory.ts'
import { evalFolder, percentile, printTable, readTexts, withEnds } from './run.ts'

const sizes = process.argv.slice(2).map(Number)
const compared = 200
/** Smaller indexes have no copy. */
const minCopiedChunks = 20_000
/** The index of a million chunks takes a loaded machine minutes to read from the database. */
const firstSearchMs = 600_000

/** The first searches after a start, with index files and without. */
interface Start {
  readonly firstMs: number
  /** Milliseconds of each of the next searches. */
  readonly nextMs: readonly number[]
  /** Milliseconds of half of the last 200 searches. */
  readonly lastMs: number
  /** Seconds from the first search until ten in a row take at most 1.3 times the median of the last ones. */
  readonly fullSpeedSeconds: number
  readonly extraMb: number
  /** The chunk ids of each answer. */
  readonly answers: readonly string[]
}

await withEnds(async (atEnd) => {
  const rows: string[][] = []
  for (const size of sizes.length > 0 ? sizes : [10_000, 100_000]) {
    const bucket = await openObjectStorage(atEnd)
    const groundwork = await program(atEnd, { LOG_LEVEL: 'warn', ...bucket.settings })
    await groundwork.start()
    const { token, organizationId } = await createToken(groundwork)
    const client = new Client(groundwork.url, token)
    const base = await filledBase(groundwork, client, organizationId, size)
    const questions = (await readTexts(join(evalFolder(), 'sets/squad-dev-open/queries.jsonl'))).map(({ text }) => text)
    // Two searches: the second one lets the inverted index be read.
    const search = (question: string) => client.api.bases.search(base, { query: question, topK: 10 }, { timeoutMs: firstSearchMs })
    for (const question of questions.slice(0, 2)) await search(question)
    while (!(await hasIndexFile(groundwork))) await pause(1_000)
    const fromDatabase = await restarted(groundwork, '0', search, questions)
    const fromFile = await restarted(groundwork, '10', search, questions)
    const same = ({ answers }: Start): string =>
      (answers.filter((answer, at) => answer === fromDatabase.answers[at]).length / compared).toFixed(3)
    rows.push(
      rowOf(`${size} chunks, yardstick: index from the database`, fromDatabase, ''),
      rowOf(`${size} chunks, index from its file`, fromFile, same(fromFile)),
    )
    if (size >= minCopiedChunks) {
      // The running program stores the copy within five minutes.
      while (!(await bucket.list()).objects.some((key) => key.includes('/indexes/'))) await pause(1_000)
      await groundwork.stop()
      await rm(join(groundwork.env['DATA_DIR'] ?? '', 'index'), { recursive: true })
      const fromCopy = await restarted(groundwork, '10', search, questions)
      rows.push(rowOf(`${size} chunks, empty disk, index from its copy in a bucket`, fromCopy, same(fromCopy)))
    }
    await groundwork.stop()
  }
  printTable(
    `Hybrid search after a start, over HTTP, embedding of the question included (${engineName()})`,
    [
      'what',
      'first search, ms',
      'next 20, p50 ms',
      'last 200, p50 ms',
      'full speed after, s',
      'memory for the index, MB',
      'same ten passages',
    ],
    rows,
  )
})

function rowOf(what: string, { firstMs, nextMs, lastMs, fullSpeedSeconds, extraMb }: Start, same: string): string[] {
  const next = percentile(nextMs.slice(0, 20), 0.5)
  return [what, firstMs.toFixed(0), next.toFixed(1), lastMs.toFixed(1), fullSpeedSeconds.toFixed(1), extraMb.toFixed(0), same]
}

async function filledBase(groundwork: Program, client: Client, organizationId: string, chunks: number): Promise<string> {
  const seeds = await client.createBase('seeds')
  const base = await client.createBase(`${chunks} chunks`)
  const filling = await openFilling(groundwork, organizationId.slice(-36), seeds.id.slice(-36))
  await filling.fill(base.id.slice(-36), chunks)
  await filling.close()
  return base.id
}

/** Starts the program again and sends it questions, each different. */
async function restarted(
  groundwork: Program,
  diskGb: string,
  search: (question: string) => Promise<{ readonly data: readonly { readonly chunkId: string }[] }>,
  questions: readonly string[],
): Promise<Start> {
  await groundwork.stop()
  groundwork.env['INDEX_DISK_GB'] = diskGb
  await groundwork.start()
  const idleMb = await memoryOf(groundwork.pid())
  const times: { ms: number; at: number }[] = []
  const answers: string[] = []
  const started = performance.now()
  for (const question of questions.slice(0, 2_000)) {
    const from = performance.now()
    const { data } = await search(question)
    times.push({ ms: performance.now() - from, at: (performance.now() - started) / 1_000 })
    if (answers.length < compared) answers.push(data.map(({ chunkId }) => chunkId).join(' '))
  }
  const extraMb = (await memoryOf(groundwork.pid())) - idleMb
  const lastMs = percentile(
    times.slice(-200).map(({ ms }) => ms),
    0.5,
  )
  const isFull = (at: number): boolean => times.slice(at, at + 10).every(({ ms }) => ms <= 1.3 * lastMs)
  const full = times.findIndex((_, at) => isFull(at))
  const [first, ...next] = times.map(({ ms }) => ms)
  return { firstMs: first ?? Number.NaN, nextMs: next, lastMs, fullSpeedSeconds: times[full]?.at ?? Number.NaN, extraMb, answers }
}
