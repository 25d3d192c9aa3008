import { Client } from '@groundwork/e2e/client'
import { hostileDocuments } from '@groundwork/e2e/hostile-documents'
import { createToken, engineName, freePort, pause, program } from '@groundwork/e2e/program'
import { percentile, printTable, withEnds } from './run.ts'

const idleMs = 15_000
const settleMs = 900_000

await withEnds(async (atEnd) => {
  const apart = engineName() === 'PostgreSQL'
  const api = await program(atEnd, { LOG_LEVEL: 'info', ROLE: apart ? 'api' : 'all' })
  const worker = apart ? await program(atEnd, { ...api.env, ROLE: 'worker', PORT: String(await freePort()) }) : api
  await api.start()
  if (apart) await worker.start()
  const client = new Client(api.url, (await createToken(api)).token)
  const base = await client.createBase('hostile')
  const calls: readonly [name: string, call: () => Promise<unknown>][] = [
    ['read the base', () => client.call('GET', `/v1/bases/${base.id}`)],
    ['list its sources', () => client.call('GET', `/v1/bases/${base.id}/sources?limit=20`)],
    ['search', () => client.call('POST', `/v1/bases/${base.id}/search`, { query: 'Where are the keys?' })],
  ]
  // Empty knowledge bases respond too quickly for a comparison.
  const documents = await hostileDocuments()
  const first = await client.addFile(base.id, 'keys.txt', 'text/plain', Buffer.from('The keys are in the box.'))
  await client.settled(base.id, first.id)
  await timesOf(calls, 3_000)
  const idle = await timesOf(calls, idleMs)
  const started = performance.now()
  const sources = await Promise.all(documents.map(({ name, bytes }) => client.addFile(base.id, name, 'application/octet-stream', bytes)))
  let settled = false
  const settling = Promise.all(sources.map(({ id }) => client.settled(base.id, id, settleMs))).finally(() => (settled = true))
  const busy = await timesOf(calls, settleMs, () => settled)
  const ended = await settling
  const seconds = (performance.now() - started) / 1000
  const p = (times: readonly number[], share: number): string => percentile(times, share).toFixed(1)
  const row = (name: string, before: readonly number[], during: readonly number[]): string[] => {
    const ratio = percentile(during, 0.95) / percentile(before, 0.95)
    const spans = [before, during].flatMap((times) => [String(times.length), p(times, 0.5), p(times, 0.95)])
    return [name, ...spans, ratio.toFixed(2), ratio < 3 ? 'yes' : 'NO']
  }
  printTable(
    `The API while ${documents.length} hostile documents are processed at once, milliseconds (${engineName()})`,
    ['request', 'idle', 'p50', 'p95', 'busy', 'p50', 'p95', 'ratio', 'under 3'],
    [...calls.map(([name], at) => row(name, idle[at] ?? [], busy[at] ?? [])), row('all', idle.flat(), busy.flat())],
  )
  const failed = ended.filter(({ status }) => status === 'failed').length
  const peak = (await worker.peakMb())?.toFixed(0) ?? 'unknown'
  process.stdout.write(
    `\n${ended.length} processed in ${seconds.toFixed(0)} s: ${ended.length - failed} completed, ${failed} failed\n` +
      `Peak memory of the worker's process: ${peak} MB\n`,
  )
})

/** Returns the milliseconds of each call, made one after another. */
async function timesOf(
  calls: readonly (readonly [string, () => Promise<unknown>])[],
  forMs: number,
  done: () => boolean = () => false,
): Promise<number[][]> {
  const times = calls.map((): number[] => [])
  const end = performance.now() + forMs
  while (performance.now() < end && !done()) {
    for (const [at, [, call]] of calls.entries()) {
      const started = performance.now()
      await call()
      times[at]?.push(performance.now() - started)
      await pause(10)
    }
  }
  return times
}
