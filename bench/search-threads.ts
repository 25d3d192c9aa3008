import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program } from '@groundwork/e2e/program'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hasIndexFile, openFilling } from './fill.ts'
import { memoryOf } from './process-memory.ts'
import { evalFolder, inParallel, percentile, printTable, readTexts, withEnds } from './run.ts'

const chunks = Number(process.argv[2] ?? 1_000_000)
const callers = 8
const searches = 600
/** Time between two requests for the contact. */
const contactPauseMs = 20
const searchTimeoutMs = 600_000

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'warn' })
  await groundwork.start()
  const { token, organizationId } = await createToken(groundwork)
  const client = new Client(groundwork.url, token)
  const seeds = await client.createBase('seeds')
  const base = await client.createBase(`${chunks} chunks`)
  const filling = await openFilling(groundwork, organizationId.slice(-36), seeds.id.slice(-36))
  await filling.fill(base.id.slice(-36), chunks)
  await filling.close()
  const { id: contactId } = await client.call<{ id: string }>('POST', '/v1/contacts', { email: 'desk@example.com' })
  const questions = (await readTexts(join(evalFolder(), 'sets/squad-dev-open/queries.jsonl'))).map(({ text }) => text)
  const search = async (query: string): Promise<void> => {
    await client.api.bases.search(base.id, { query, topK: 10 }, { timeoutMs: searchTimeoutMs })
  }
  const contact = (): Promise<unknown> => client.call('GET', `/v1/contacts/${contactId}`)
  for (const question of questions.slice(0, 2)) await search(question)
  while (!(await hasIndexFile(groundwork))) await pause(1_000)

  const rows: string[][] = []
  for (const threads of ['0', '1', '2']) {
    await groundwork.stop()
    groundwork.env['SEARCH_THREADS'] = threads
    await groundwork.start()
    const idleMb = await memoryOf(groundwork.pid())
    const [idle] = await whileCalling(contact, () => pause(4_000))
    await timed(questions.slice(0, 300), callers, search)
    const alone = await timed(questions.slice(300, 500), 1, search)
    const [contacts, times] = await whileCalling(contact, () => timed(questions.slice(500, 500 + searches), callers, search))
    rows.push([
      threads === '0' ? 'yardstick: in the thread of HTTP' : `SEARCH_THREADS=${threads}`,
      both(alone),
      both(times),
      percentile(idle, 0.95).toFixed(1),
      both(contacts),
      ((await memoryOf(groundwork.pid())) - idleMb).toFixed(0),
    ])
  }
  printTable(
    `Hybrid search in one knowledge base of ${chunks} chunks, and GET of a contact beside it, p50 / p95 in milliseconds (${engineName()})`,
    ['what', 'one caller', `${callers} callers`, 'contact, idle, p95', 'contact beside', 'memory, MB'],
    rows,
  )
})

function both(times: readonly number[]): string {
  return `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.95).toFixed(1)}`
}

/** Calls `act` again and again while `work` runs. Returns the milliseconds of the calls, and the result of the work. */
async function whileCalling<T>(act: () => Promise<unknown>, work: () => Promise<T>): Promise<[times: number[], result: T]> {
  const ending = new AbortController()
  const times: number[] = []
  const calling = (async () => {
    while (!ending.signal.aborted) {
      const began = performance.now()
      await act()
      times.push(performance.now() - began)
      await pause(contactPauseMs)
    }
  })()
  const result = await work()
  ending.abort()
  await calling
  return [times, result]
}

async function timed(questions: readonly string[], count: number, search: (question: string) => Promise<void>): Promise<number[]> {
  const times: number[] = []
  await inParallel(questions, count, async (question) => {
    const began = performance.now()
    await search(question)
    times.push(performance.now() - began)
  })
  return times
}
