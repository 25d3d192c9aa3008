import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, program } from './program.ts'

const dimensions = 64

/** An OpenAI-compatible embeddings endpoint that hashes words into buckets. */
async function endpoint(): Promise<{ url: string; state: { failing: boolean; keys: Set<string> } }> {
  const state = { failing: false, keys: new Set<string>() }
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      state.keys.add(request.headers.authorization ?? '')
      if (state.failing) return response.writeHead(500).end()
      const { input } = JSON.parse(text) as { input: string[] }
      const data = input.map((words, index) => ({ index, embedding: embed(words) }))
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, model: 'buckets' }))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, state }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

function embed(text: string): number[] {
  const vector = Array<number>(dimensions).fill(0.001)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const bucket = (createHash('md5').update(word).digest()[0] ?? 0) % dimensions
    vector[bucket] = (vector[bucket] ?? 0) + 1
  }
  return vector
}

test('uses an endpoint instead of the bundled model; while it fails, the full-text part of searches still works', async () => {
  const { url, state } = await endpoint()
  const groundwork = await program(onTestFinished, {
    EMBEDDINGS_URL: url,
    EMBEDDINGS_MODEL: 'buckets',
    EMBEDDINGS_DIMENSIONS: String(dimensions),
    EMBEDDINGS_API_KEY: 'the-key',
  })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const base = await client.createBase('remote')
  const source = await client.addFile(
    base.id,
    'a.txt',
    'text/plain',
    Buffer.from('Winter storage can be booked from the first of September.'),
  )
  const settled = await client.settled(base.id, source.id)
  expect(settled).toMatchObject({ status: 'completed', embeddingDimensions: dimensions })
  expect(settled).toHaveProperty('embeddingModel', expect.stringContaining('buckets'))
  expect(await client.search(base.id, 'book winter storage', { hybridSearch: false })).toHaveLength(1)
  expect([...state.keys]).toEqual(['Bearer the-key'])
  expect(groundwork.output()).not.toContain('the-key')

  state.failing = true
  const answer = await client.api.bases.search(base.id, { query: 'storage in winter' })
  expect([answer.data.length, answer.degraded]).toEqual([1, ['vector']])
  expect((await client.request('POST', `/v1/bases/${base.id}/search`, { query: 'another question', hybridSearch: false })).status).toBe(503)
}, 600_000)
