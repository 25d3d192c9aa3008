import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, engineName, pause, program, type Program } from './program.ts'

/** The full measure is WEBHOOK_EVENTS=10000: minutes on a quiet machine. */
const events = Number(process.env['WEBHOOK_EVENTS'] ?? 2000)
const callers = 16

interface Receiver {
  url: string
  host: string
  /** Answers 500 to this share of the requests. */
  failing: number
  secret: string
  /** Ids of events that it took, and how many requests brought them. */
  taken: Set<string>
  requests: number
  refused: number
}

test(`${events} events reach every endpoint of the program that is killed on the ${engineName()}`, async () => {
  const receivers = [await receiver(0), await receiver(0), await receiver(0.3)] as const
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

  const begun = performance.now()
  await produce(client, groundwork)
  const produced = performance.now()
  const log = await eventLog(client)
  expect(log.size).toBeGreaterThanOrEqual(events)
  await until(() => healthy.every(({ taken }) => taken.size >= log.size))
  const delivered = performance.now()

  for (const each of healthy) expect([...log].filter((id) => !each.taken.has(id))).toEqual([])
  expect(random.refused).toBeGreaterThan(0)
  random.failing = 0
  const missing = `/v1/webhooks/${ids[2]}/redeliver`
  const { count } = await client.call<{ count: number }>('POST', missing, { since: '2020-01-01T00:00:00Z' })
  await until(() => random.taken.size >= log.size)
  expect([...log].filter((id) => !random.taken.has(id))).toEqual([])

  const requests = receivers.reduce((sum, each) => sum + each.requests, 0)
  const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1)
  console.log(
    `${engineName()}: ${log.size} events, 3 kills; produced in ${seconds(begun, produced)} s, with the healthy endpoints after ${seconds(begun, delivered)} s; ` +
      `${requests} requests, ${random.refused} of them refused, ${count} events redelivered, ${Math.round((requests / (performance.now() - begun)) * 1000)} requests/s in all; ` +
      `none lost, every signature verified`,
  )
  expect(await groundwork.stop()).toBe(0)
}, 900_000)

/** Makes contacts, whose creation is an event each, and kills the program three times while it works. */
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

/** Ids of all events that there are. */
async function eventLog(client: Client): Promise<Set<string>> {
  const ids = new Set<string>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: { data: { id: string }[]; nextCursor: string | null } = await client.call(
      'GET',
      `/v1/events?limit=100${cursor && `&cursor=${cursor}`}`,
    )
    for (const { id } of page.data) ids.add(id)
    cursor = page.nextCursor
  }
  return ids
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(50)
}

async function receiver(failing: number): Promise<Receiver> {
  const made: Receiver = { url: '', host: '', failing, secret: '', taken: new Set(), requests: 0, refused: 0 }
  const take = async (request: IncomingMessage): Promise<number> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    // Throws where the signature does not fit; the test then fails by the rejection.
    const event = new Webhook(made.secret).verify(body, request.headers as Record<string, string>) as { id: string }
    expect(request.headers['webhook-id']).toBe(event.id)
    made.requests += 1
    if (Math.random() < made.failing) {
      made.refused += 1
      return 500
    }
    made.taken.add(event.id)
    return 204
  }
  const server = createServer((request, response) => {
    void take(request).then((status) => response.writeHead(status).end())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  made.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  made.url = `http://${made.host}/hook`
  return made
}
