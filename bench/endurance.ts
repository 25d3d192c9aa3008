import { Client } from '@groundwork/e2e/client'
import { postgresServer } from '@groundwork/e2e/postgres'
import { createToken, freePort, pause, program, root, type Program } from '@groundwork/e2e/program'
import { openReceiver } from '@groundwork/e2e/receiver'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { compareLedger, startLedgerLoad, type Ledger } from './ledger.ts'
import { memoryOf } from './process-memory.ts'
import { retryingClient, type Outage } from './retrying-client.ts'
import { percentile, printTable, withEnds } from './run.ts'

/** Mixed load on two API processes and two workers, of which one is killed each minute, while PostgreSQL is restarted twice. */

const minutes = Number(process.argv[2] ?? 30)
/** Memory is compared from this minute on, when the caches and the compiled code have grown. */
const steadyMinute = Math.min(5, minutes / 3)
const sampleMs = 5000
const largestGrowth = 1.1

await withEnds(async (atEnd) => {
  const server = await postgresServer(atEnd)
  await server.start()
  const receiver = await openReceiver((end) => atEnd(async () => end()))
  const settings = { DATABASE_URL: server.url, FETCH_ALLOW_HOSTS: receiver.host, LOG_LEVEL: 'warn' }
  const first = await program(atEnd, { ...settings, ROLE: 'api' })
  const more = async (role: string, level: string): Promise<Program> =>
    program(atEnd, { ...first.env, PORT: String(await freePort()), ROLE: role, LOG_LEVEL: level })
  // The start of a worker shows in its log at the level of information.
  const [secondApi, worker, secondWorker] = [await more('api', 'warn'), await more('worker', 'info'), await more('worker', 'info')]
  await first.start()
  await Promise.all([secondApi, worker, secondWorker].map((each) => each.start()))
  const { token } = await createToken(first)
  const client = new Client(first.url, token)
  receiver.secret = (await client.call<{ secret: string }>('POST', '/v1/webhooks', { url: receiver.url })).secret

  const outages: Outage[] = []
  const caller = retryingClient([first.url, secondApi.url], token, outages)
  const load = await startLedgerLoad(caller)
  atEnd(() => load.stop())
  const began = Date.now()
  const minute = (): number => (Date.now() - began) / 60_000

  const samples: { minute: number; api: number; worker: number }[] = []
  const sampling = new AbortController()
  const sampled = (async () => {
    while (!sampling.signal.aborted) {
      samples.push({ minute: minute(), api: await memoryIfAlive(first), worker: await memoryIfAlive(worker) })
      await pause(sampleMs)
    }
  })()
  atEnd(async () => {
    sampling.abort()
    await sampled
  })

  const restarts = [Math.floor(minutes / 3), Math.floor((2 * minutes) / 3)]
  for (let at = 1; at < minutes; at += 1) {
    await pause(began + at * 60_000 - Date.now())
    const killed = at % 2 === 1 ? secondApi : secondWorker
    await killed.kill()
    await pause(2000)
    await killed.start()
    process.stdout.write(`minute ${at}: ${at % 2 === 1 ? 'an API process' : 'a worker'} killed and started; ${progress(load.ledger)}\n`)
    if (!restarts.includes(at)) continue
    await pause(10_000)
    const signal = at === restarts[0] ? 'SIGINT' : 'SIGKILL'
    const outage = { from: Date.now(), until: Infinity }
    outages.push(outage)
    await server.end(signal)
    await pause(2000)
    await server.start()
    outage.until = Date.now()
    process.stdout.write(`minute ${at}: PostgreSQL restarted (${signal}), away for ${outage.until - outage.from} ms\n`)
  }
  await pause(began + minutes * 60_000 - Date.now())
  sampling.abort()
  await sampled
  await load.stop()
  const differences = await compareLedger(client, load.ledger, receiver)
  const outputs = [first, secondApi, worker, secondWorker].map((each) => each.output())
  const codes = await Promise.all([first, secondApi, worker, secondWorker].map((each) => each.stop()))
  const doctor = await promisify(execFile)(process.execPath, ['server/dist/cli.js', 'doctor', '--json', '--grace', '0'], {
    cwd: root,
    env: first.env,
  }).catch((error: { stdout: string }) => error)

  const steady = (from: number, until: number, of: 'api' | 'worker'): number =>
    percentile(
      samples.filter((sample) => sample.minute >= from && sample.minute < until).map((sample) => sample[of]),
      0.5,
    )
  const row = (name: string, of: 'api' | 'worker'): string[] => {
    const [early, late] = [steady(steadyMinute - 1, steadyMinute + 1, of), steady(minutes - 2, minutes, of)]
    return [name, early.toFixed(0), late.toFixed(0), (late / early).toFixed(2), late / early <= largestGrowth ? 'yes' : 'NO']
  }
  printTable(
    `Resident memory of the processes that lived for ${minutes} minutes, MB`,
    ['process', `minute ${steadyMinute.toFixed(0)}`, `minute ${minutes}`, 'ratio', `at most ${largestGrowth}`],
    [row('API', 'api'), row('worker', 'worker')],
  )
  process.stdout.write(
    [
      '',
      progress(load.ledger),
      `Answers: ${JSON.stringify(Object.fromEntries(caller.statuses))}; longest ${caller.longestMs.outside} ms, ${caller.longestMs.outage} ms beside restarts of PostgreSQL`,
      `Webhooks: ${receiver.accepted.size} events in ${receiver.requests} requests`,
      `Errors outside of restarts: ${caller.unexpected.length}`,
      ...caller.unexpected.slice(0, 10),
      `Lost, added or doubled: ${differences.length}`,
      ...differences.slice(0, 20),
      `groundwork doctor: ${doctor.stdout.trim()}`,
      `Exit codes: ${codes.join(' ')}`,
      'Messages of the log:',
      ...logMessages(outputs),
      '',
    ].join('\n'),
  )
  if (differences.length > 0 || caller.unexpected.length > 0) process.exitCode = 1
})

/** @throws Error with the log of a program that has ended without being killed */
async function memoryIfAlive(one: Program): Promise<number> {
  return memoryOf(one.pid()).catch(() => {
    throw new Error(`a program ended by itself (${one.ended()}):\n${one.output()}`)
  })
}

function progress({ contacts, proposals, sources }: Ledger): string {
  return `${contacts.size} contacts, ${proposals.size} proposals and ${sources.size} sources acknowledged`
}

/** Returns the messages of warnings and errors with their counts. */
function logMessages(outputs: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of outputs.join('\n').split('\n')) {
    if (line === '') continue
    const entry = line.startsWith('{') ? (JSON.parse(line) as { level: number; msg: string }) : { level: 60, msg: line }
    if (entry.level >= 40) counts.set(`${entry.level} ${entry.msg}`, (counts.get(`${entry.level} ${entry.msg}`) ?? 0) + 1)
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([message, count]) => `  ${count} × ${message}`)
}
