import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, engineName, freePort, pause, program, root } from './program.ts'

test('on SIGTERM the program becomes unready immediately, serves requests for DRAIN_SECONDS, and ends streams cleanly', async () => {
  const groundwork = await program(onTestFinished, { DRAIN_SECONDS: '8' })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const stream = await client.request('GET', '/v1/events/stream')
  const streamed = stream.text()
  expect((await fetch(`${groundwork.url}/readyz`)).status).toBe(200)

  const stopped = groundwork.stop()
  const readiness = async (): Promise<Response> => {
    const reply = await fetch(`${groundwork.url}/readyz`)
    return reply.status === 200 ? pause(10).then(readiness) : reply
  }
  const notReady = await readiness()
  expect([notReady.status, await notReady.json()]).toMatchObject([
    503,
    { error: { code: 'unavailable', issues: [{ field: 'program', code: 'draining' }] } },
  ])
  const made = await client.request('POST', '/v1/contacts', { email: 'late@example.com' })
  expect([made.status, made.headers.get('connection')]).toEqual([201, 'close'])
  // An interrupted stream would reject here.
  expect(await streamed).toContain('contact.created')
  expect(await stopped).toBe(0)
}, 600_000)

test.skipIf(engineName() !== 'PostgreSQL')(
  'on SIGTERM a source in progress passes to another program before its lease ends (PostgreSQL)',
  async () => {
    const embedder = await holdingEmbedder()
    const first = await program(onTestFinished, {
      DRAIN_SECONDS: '0',
      EMBEDDINGS_URL: embedder.url,
      EMBEDDINGS_MODEL: 'held',
      EMBEDDINGS_DIMENSIONS: '8',
      FETCH_ALLOW_HOSTS: new URL(embedder.url).host,
    })
    await first.start()
    const second = await program(onTestFinished, { ...first.env, PORT: String(await freePort()) })
    const { token } = await createToken(first)
    const client = new Client(first.url, token)
    const base = await client.createBase('handed back')
    const source = await client.addPath(base.id, join(root, 'examples/faq.md'))
    await embedder.asked
    await second.start()
    embedder.answerFromNowOn()
    expect(await first.stop()).toBe(0)
    const after = new Client(second.url, token)
    expect(await after.settled(base.id, source.id)).toMatchObject({ status: 'completed', error: null })

    // An expired lease would count as an attempt.
    const database = new pg.Client({ connectionString: first.env['DATABASE_URL'] })
    await database.connect()
    const { rows } = await database.query(`select retry_count from pgboss.job where name = 'process-source'`)
    await database.end()
    expect(rows).toEqual([{ retry_count: 0 }])
    expect(await second.stop()).toBe(0)
  },
  600_000,
)

/** An embeddings endpoint that answers no request until `answerFromNowOn` is called. Earlier requests never get a response. */
async function holdingEmbedder(): Promise<{ url: string; asked: Promise<void>; answerFromNowOn: () => void }> {
  let answering = false
  let wasAsked = (): void => undefined
  const asked = new Promise<void>((resolve) => (wasAsked = resolve))
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      if (!answering) {
        waiting.push(response)
        wasAsked()
        return
      }
      const { input } = JSON.parse(text) as { input: string[] }
      const data = input.map((_, index) => ({ index, embedding: [1, 0, 0, 0, 0, 0, 0, 0] }))
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data, model: 'held' }))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    answerFromNowOn: () => (answering = true),
  }
}
