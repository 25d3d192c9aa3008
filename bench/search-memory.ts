import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program, type Program } from '@groundwork/e2e/program'
import { randomOf } from '@groundwork/server/testing/random'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openFilling } from './fill.ts'
import { evalFolder, inParallel, percentile, printTable, readTexts, withEnds } from './run.ts'

const baseCount = Number(process.argv[2] ?? 20)
const chunksEach = 10_000
const callers = 8
/** Searches before those that are measured. */
const warmUp = 100

/** Settings under which the same searches run. All indexes together take about 12.6 MB for each knowledge base. */
const [enough, tenth] = [20 * baseCount, 1.26 * baseCount].map((megabytes) => String(Math.round(megabytes)))
const settings: readonly { readonly what: string; readonly env: Record<string, string>; readonly searches: number }[] = [
  { what: 'yardstick: all indexes fit', env: { SEARCH_MEMORY_MB: enough ?? '', INDEX_DISK_GB: '10' }, searches: 1_500 },
  { what: 'a tenth of the memory', env: { SEARCH_MEMORY_MB: tenth ?? '', INDEX_DISK_GB: '10' }, searches: 1_500 },
  { what: 'a tenth of the memory, no files', env: { SEARCH_MEMORY_MB: tenth ?? '', INDEX_DISK_GB: '0' }, searches: 150 },
]

interface Rate {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
}

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'warn', ...settings[0]?.env })
  await groundwork.start()
  const { token, organizationId } = await createToken(groundwork)
  const client = new Client(groundwork.url, token)
  const bases = await filledBases(groundwork, client, organizationId)
  const questions = (await readTexts(join(evalFolder(), 'sets/squad-dev-open/queries.jsonl'))).map(({ text }) => text)
  const search = async (base: string, query: string): Promise<void> => {
    await client.api.bases.search(base, { query, topK: 10 })
  }
  // Two searches: the second one lets the inverted index be read.
  for (const base of bases) for (const question of questions.slice(0, 2)) await search(base, question)
  while ((await countFiles(groundwork)) < bases.length) await pause(1_000)

  const rates: Rate[] = []
  for (const { env, searches } of settings) {
    await groundwork.stop()
    Object.assign(groundwork.env, env)
    await groundwork.start()
    const random = randomOf(7)
    const all = Array.from({ length: warmUp + searches }, (_, at) => ({
      base: random.of(bases),
      question: questions[at % questions.length] ?? '',
    }))
    await inParallel(all.slice(0, warmUp), callers, ({ base, question }) => search(base, question))
    const times: number[] = []
    const started = performance.now()
    await inParallel(all.slice(warmUp), callers, async ({ base, question }) => {
      const from = performance.now()
      await search(base, question)
      times.push(performance.now() - from)
    })
    const seconds = (performance.now() - started) / 1_000
    rates.push({ perSecond: times.length / seconds, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) })
  }
  printTable(
    `Hybrid search in ${baseCount} knowledge bases of ${chunksEach} chunks in random order, ${callers} callers, over HTTP (${engineName()})`,
    ['what', 'searches a second', 'of the yardstick', 'p50, ms', 'p95, ms'],
    rates.map(({ perSecond, p50Ms, p95Ms }, at) => [
      settings[at]?.what ?? '',
      perSecond.toFixed(1),
      (perSecond / (rates[0]?.perSecond ?? Number.NaN)).toFixed(2),
      p50Ms.toFixed(1),
      p95Ms.toFixed(1),
    ]),
  )
  await groundwork.stop()
})

async function filledBases(groundwork: Program, client: Client, organizationId: string): Promise<string[]> {
  const seeds = await client.createBase('seeds')
  const filling = await openFilling(groundwork, organizationId.slice(-36), seeds.id.slice(-36))
  const ids: string[] = []
  for (let base = 0; base < baseCount; base++) {
    const { id } = await client.createBase(`base ${base}`)
    await filling.fill(id.slice(-36), chunksEach)
    ids.push(id)
  }
  await filling.close()
  return ids
}

async function countFiles({ env }: Program): Promise<number> {
  const names = await readdir(join(env['DATA_DIR'] ?? '', 'index'), { recursive: true }).catch(() => []) // none yet
  return names.filter((name) => name.endsWith('.index')).length
}
