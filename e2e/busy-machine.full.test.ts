import { expect, onTestFinished, test } from 'vitest'
import { startBusyProcesses } from './busy-processes.ts'
import { Client } from './client.ts'
import { startMixedLoad } from './mixed-load.ts'
import { createToken, pause, program } from './program.ts'
import { allEventIds, openReceiver } from './receiver.ts'

/**
 * The full test runs with BUSY_MINUTES=10 BUSY_DOCUMENTS=2000. It needs the embedded engine. The load lasts these minutes, and until all
 * documents are added; the test ends when all documents are processed.
 */
const minutes = Number(process.env['BUSY_MINUTES'] ?? 1)
const documents = Number(process.env['BUSY_DOCUMENTS'] ?? 100)
const busyProcesses = Number(process.env['BUSY_PROCESSES'] ?? 8)
const metricsToken = 'token-that-only-the-operator-knows'
const maxHoldSeconds = 0.25

test(`${minutes} minutes of mixed load beside ${busyProcesses} busy processes`, async () => {
  const receivers = [await openReceiver(onTestFinished), await openReceiver(onTestFinished)]
  const groundwork = await program(onTestFinished, {
    FETCH_ALLOW_HOSTS: receivers.map(({ host }) => host).join(','),
    LOG_LEVEL: 'warn',
    METRICS_TOKEN: metricsToken,
  })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  for (const each of receivers) each.secret = (await client.call<{ secret: string }>('POST', '/v1/webhooks', { url: each.url })).secret
  startBusyProcesses(onTestFinished, busyProcesses)

  const began = performance.now()
  const load = startMixedLoad(client, { documents })
  await Promise.all([load.added, pause(minutes * 60_000)])
  await load.stop()
  const added = performance.now()
  const waiting = async (): Promise<number> =>
    metric(await metrics(groundwork.url), 'groundwork_queue_waiting_jobs{queue="process-source"}')
  while ((await waiting()) > 0) await pause(1000)
  for (const [sourceId, baseId] of load.sources) expect((await client.settled(baseId, sourceId, 600_000)).status).toBe('completed')
  const ended = performance.now()
  const events = await allEventIds(client)
  const missing = (): number => Math.max(...receivers.map(({ accepted }) => [...events].filter((id) => !accepted.has(id)).length))
  const deadline = Date.now() + 120_000
  while (missing() > 0 && Date.now() < deadline) await pause(500)

  const text = await metrics(groundwork.url)
  const longest = metric(text, 'groundwork_database_longest_hold_seconds')
  const lines = groundwork
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  console.log(
    JSON.stringify(
      {
        seconds: Math.round((ended - began) / 1000),
        addedAfterSeconds: Math.round((added - began) / 1000),
        requests: load.answered,
        failures: load.failures.length,
        sources: load.sources.size,
        events: events.size,
        missing: missing(),
        holds: metric(text, 'groundwork_database_hold_seconds_count'),
        longestHoldMs: Math.round(longest * 1000),
        over250ms:
          metric(text, 'groundwork_database_hold_seconds_count') - metric(text, 'groundwork_database_hold_seconds_bucket{le="0.25"}'),
        over100ms:
          metric(text, 'groundwork_database_hold_seconds_count') - metric(text, 'groundwork_database_hold_seconds_bucket{le="0.1"}'),
        lines: lines.length,
      },
      null,
      2,
    ),
  )
  for (const line of lines.slice(0, 40)) console.log(line)
  expect(load.failures).toEqual([])
  expect(missing()).toBe(0)
  expect(lines).toEqual([])
  expect(longest).toBeLessThanOrEqual(maxHoldSeconds)
  expect(await groundwork.stop()).toBe(0)
}, 7_200_000)

async function metrics(url: string): Promise<string> {
  return (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).text()
}

function metric(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  if (line === undefined) throw new Error(`there is no metric ${name}`)
  return Number(line.slice(name.length + 1))
}
