import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, engineName, pause, program, type Program } from './program.ts'
import { allEventIds, openReceiver } from './receiver.ts'

/** `npm run test:full` uses 2,000. 10,000 take minutes on an idle machine. */
const events = Number(process.env['WEBHOOK_EVENTS'] ?? 800)
const callers = 16

test(`${events} events reach every endpoint although the program is killed (${engineName()})`, async () => {
  const receivers = [
    await openReceiver(onTestFinished),
    await openReceiver(onTestFinished),
    await openReceiver(onTestFinished, 0.3),
  ] as const
  const [healthy, random] = [receivers.slice(0, 2), receivers[2]]
  const groundwork = await program(onTestFinished, { FETCH_ALLOW_HOSTS: receivers.map(({ host }) => host).join(','), LOG_LEVEL: 'warn' })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const ids: string[] = []
  for (const each of receivers) {
    const { id, secret } = await client.call<{ id: string; secret: string }>('POST', '/v1/webhooks', { url: each.url })
    each.secret = secret
    ids.push(id)
  }

  const startedAt = performance.now()
  await produce(client, groundwork)
  const produced = performance.now()
  const log = await allEventIds(client)
  expect(log.size).toBeGreaterThanOrEqual(events)
  await until(() => healthy.every(({ accepted }) => accepted.size >= log.size))
  const delivered = performance.now()

  for (const each of healthy) expect([...log].filter((id) => !each.accepted.has(id))).toEqual([])
  expect(random.refused).toBeGreaterThan(0)
  random.failing = 0
  const missing = `/v1/webhooks/${ids[2]}/redeliver`
  const { count } = await client.call<{ count: number }>('POST', missing, { since: '2020-01-01T00:00:00Z' })
  await until(() => random.accepted.size >= log.size)
  expect([...log].filter((id) => !random.accepted.has(id))).toEqual([])

  const requests = receivers.reduce((sum, each) => sum + each.requests, 0)
  const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1)
  console.log(
    `${engineName()}: ${log.size} events, 3 kills; produced in ${seconds(startedAt, produced)} s, with the healthy endpoints after ${seconds(startedAt, delivered)} s; ` +
      `${requests} requests, ${random.refused} of them refused, ${count} events redelivered, ${Math.round((requests / (performance.now() - startedAt)) * 1000)} requests/s in all; ` +
      `none lost, every signature verified`,
  )
  expect(await groundwork.stop()).toBe(0)
}, 900_000)

/** Creates contacts, each with one event, and kills the program three times meanwhile. */
async function produce(client: Client, groundwork: Program): Promise<void> {
  const killAt = [0.25, 0.5, 0.75].map((share) => share * events)
  let [acknowledged, up]: [number, Promise<void>] = [0, Promise.resolve()]
  const restart = async (): Promise<void> => {
    await groundwork.kill()
    await groundwork.start()
  }
  const caller = async (): Promise<void> => {
    while (acknowledged < events) {
      await up
      const made = await client.call('POST', '/v1/contacts', { email: 'kept@example.com' }).catch(() => undefined)
      if (made !== undefined) acknowledged += 1
      if (acknowledged >= (killAt[0] ?? Infinity)) {
        killAt.shift()
        up = restart()
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  await up
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(50)
}
