import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program } from '@groundwork/e2e/program'
import { join } from 'node:path'
import { Pool } from 'undici'
import { evalFolder, inParallel, percentile, printTable, readTexts, withEnds } from './run.ts'

const documents = Number(process.argv[2] ?? 8)
const budgets = [20, 50, 100]
const callerCounts = [1, 4, 8, 16]
const questionCount = 400
/** Repetitions of each question, each time with different text. */
const rounds = 5

/** Measures how often a search responds within its budget, as seen by the caller, and the stages that it skips for that. */
await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'warn' })
  await groundwork.start()
  const { token } = await createToken(groundwork)
  const client = new Client(groundwork.url, token)
  const base = await client.createBase('budget')
  const texts = (await readTexts(join(evalFolder(), 'sets/scifact-train/corpus.jsonl'))).map(
    ({ title, text }) => `## ${title ?? ''}\n\n${text}`,
  )
  for (let at = 0; at < documents; at += 1) {
    const part = texts.slice(at * 130, (at + 1) * 130).join('\n\n')
    await client.settled(base.id, (await client.addFile(base.id, `${at}.md`, 'text/markdown', Buffer.from(part))).id, 600_000)
  }
  const { stats } = await client.call<{ stats: { chunks: number } }>('GET', `/v1/bases/${base.id}`)
  const questions = (await readTexts(join(evalFolder(), 'sets/scifact-train/queries.jsonl')))
    .slice(0, questionCount)
    .map(({ text }) => text)
  const pool = new Pool(groundwork.url, { connections: Math.max(...callerCounts) })
  atEnd(() => pool.close())
  /** Returns the body and the milliseconds of a response. The HTTP client is minimal, because it shares the processors with the program. */
  const send = async (method: 'GET' | 'POST', path: string, body: string | null): Promise<{ text: string; ms: number }> => {
    const started = performance.now()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await pool.request({ method, path, headers, body })
    const text = await answer.body.text()
    return { text, ms: performance.now() - started }
  }

  const search = (query: string, latencyBudgetMs?: number): Promise<{ text: string; ms: number }> =>
    send('POST', `/v1/bases/${base.id}/search`, JSON.stringify({ query, latencyBudgetMs }))
  // The first thousands of calls are compiled meanwhile.
  for (let round = 0; round < 9; round++) await inParallel(questions, 8, async (question) => void (await search(`${question} ${round}`)))

  const numbers = Array.from({ length: rounds * questionCount }, (_, at) => at)

  const rows: string[][] = []
  for (const callers of callerCounts) {
    const times: number[] = []
    await inParallel(numbers, callers, async () => {
      times.push((await send('GET', '/healthz', null)).ms)
    })
    const ms = (share: number): string => percentile(times, share).toFixed(1)
    const within = (100 * times.filter((each) => each <= 20).length) / times.length
    rows.push(['yardstick: GET /healthz', `${callers}`, `${within.toFixed(1)} % in 20`, '', ms(0.5), ms(0.99), ms(1)])
  }
  for (const latencyBudgetMs of [undefined, ...budgets]) {
    for (const callers of callerCounts) {
      const times: number[] = []
      const leftOut = new Map<string, number>()
      await inParallel(numbers, callers, async (at) => {
        // Different text each time, so that no query's embedding is cached.
        const query = `${questions[at % questionCount]} (${latencyBudgetMs} ${callers} ${at})`
        const { text, ms } = await search(query, latencyBudgetMs)
        times.push(ms)
        const { degraded } = JSON.parse(text) as { degraded: string[] }
        for (const what of degraded) leftOut.set(what, (leftOut.get(what) ?? 0) + 1)
      })
      const kept =
        latencyBudgetMs === undefined ? '' : `${((100 * times.filter((ms) => ms <= latencyBudgetMs).length) / times.length).toFixed(1)} %`
      const shares = [...leftOut].map(([what, count]) => `${what} ${Math.round((100 * count) / times.length)} %`).join(', ')
      const ms = (share: number): string => percentile(times, share).toFixed(1)
      rows.push([`${latencyBudgetMs ?? 'none'}`, `${callers}`, kept, shares, ms(0.5), ms(0.99), ms(1)])
    }
  }
  printTable(
    `Searches within a latency budget, one base of ${stats.chunks} chunks (${engineName()})`,
    ['budget, ms', 'callers', 'within the budget', 'left out', 'p50', 'p99', 'longest'],
    rows,
  )
})
