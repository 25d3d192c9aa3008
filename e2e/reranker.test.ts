import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, program } from './program.ts'

test('an endpoint reranks on request; while it fails, the results keep the order of the search', async () => {
  const state = { failing: false, keys: new Set<string>() }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      state.keys.add(request.headers.authorization ?? '')
      if (state.failing) return response.writeHead(500).end('the-key')
      const { model, documents } = JSON.parse(body) as { model: string; documents: string[] }
      const results = documents.map((document, index) => ({ index, relevance_score: document.includes('tandem') ? 0.9 : 0.1 }))
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ model, results }))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(() => void server.close())
  const groundwork = await program(onTestFinished, {
    RERANK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    RERANK_MODEL: 'reader',
    RERANK_API_KEY: 'the-key',
  })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const base = await client.createBase('reranked')
  const sentences = ['Bicycles cost twelve a day.', 'Whoever wants two seats takes a tandem.']
  for (const sentence of sentences) {
    const source = await client.addFile(base.id, 'a.txt', 'text/plain', Buffer.from(sentence))
    expect(await client.settled(base.id, source.id)).toMatchObject({ status: 'completed' })
  }
  const search = async (rerank: boolean) => client.api.bases.search(base.id, { query: 'what do bicycles cost a day', rerank })
  const first = (reply: Awaited<ReturnType<typeof search>>) => [reply.data[0]?.text, reply.scoredBy, reply.degraded]
  expect(first(await search(false))).toEqual([sentences[0], 'hybrid', []])
  expect(first(await search(true))).toEqual([sentences[1], 'rerank', []])
  expect([...state.keys]).toEqual(['Bearer the-key'])
  state.failing = true
  expect(first(await search(true))).toEqual([sentences[0], 'hybrid', ['rerank']])
  expect(groundwork.output()).not.toContain('the-key')
}, 600_000)
