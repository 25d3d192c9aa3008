import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program } from '@groundwork/e2e/program'
import { openBundledEmbedder } from '@groundwork/server/knowledge/embed/bundled'
import { join } from 'node:path'
import { openFilling, type Filling } from './fill.ts'
import { comparePeers } from './peers/compare.ts'
import { evalFolder, inParallel, percentile, printTable, readTexts, withEnds } from './run.ts'

const parts = process.argv.slice(2)
const asked = (part: string): boolean => parts.length === 0 || parts.includes(part)

const uuidOf = ({ id }: { id: string }): string => id.slice(-36)

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'warn' })
  await groundwork.start()
  const { token, organizationId } = await createToken(groundwork)
  const client = new Client(groundwork.url, token)
  const filling = await openFilling(groundwork, organizationId.slice(-36), uuidOf(await client.createBase('seeds')))
  atEnd(() => filling.close())
  const questions = await readQuestions()

  if (asked('many')) await manyBases(client, filling, questions)
  // By name alone: it installs the others.
  if (parts.includes('peers')) await comparePeers(client, filling, questions, Number(parts.find((part) => /^\d+$/.test(part)) ?? 10_000))
})

type Ask = (question: string, turn: number) => Promise<unknown>

/** Of two sets in turn, so that a round has both kinds. */
async function readQuestions(): Promise<string[]> {
  const sets = await Promise.all(
    ['squad-dev-open', 'scifact-train'].map((set) => readTexts(join(evalFolder(), `sets/${set}/queries.jsonl`))),
  )
  return Array.from({ length: 800 }, (_, at) => sets.flatMap((set) => set[at]?.text ?? [])).flat()
}

async function manyBases(client: Client, filling: Filling, questions: readonly string[]): Promise<void> {
  const bases: string[] = []
  for (let count = 0; count < 50; count++) {
    const base = await client.createBase(`base ${count}`)
    await filling.fill(uuidOf(base), 2_000)
    bases.push(base.id)
    process.stderr.write(`${bases.length} bases\n`)
  }
  const filter = { key: 'part', in: [0, 1, 2, 3, 4, 5, 6] }
  const ask: Ask = (question, turn) => client.search(bases[turn % bases.length] ?? '', question, { topK: 10, filter })
  const cold = await timed(questions.slice(0, 100), 1, ask)
  await timed(questions.slice(100, 500), 8, ask)
  const alone = await timed(questions.slice(500, 800), 1, ask)
  const crowded = await timed(questions.slice(800, 1_600), 8, ask)
  const embedder = await openBundledEmbedder({ threads: 1 })
  const embedding = await timed(questions.slice(0, 300), 1, async (question) => embedder.embed([question], 'query'))
  await embedder.close()
  printTable(
    `Hybrid search over HTTP, 100,000 chunks over 50 bases, under a filter, milliseconds, embedding of the question included (${engineName()})`,
    ['what', 'p50', 'p95', 'p99'],
    [
      row('yardstick: bare embedder, one question', embedding),
      row('first questions to each base', cold),
      row('one caller', alone),
      row('eight callers', crowded),
    ],
  )
}

async function timed(questions: readonly string[], callers: number, ask: Ask): Promise<number[]> {
  const times: number[] = []
  let turn = 0
  await inParallel(questions, callers, async (question) => {
    const started = performance.now()
    await ask(question, turn++)
    times.push(performance.now() - started)
  })
  return times
}

function row(what: string, times: readonly number[]): string[] {
  return [what, ...[0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(1))]
}
