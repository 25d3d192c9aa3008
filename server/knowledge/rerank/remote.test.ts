import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { openRemoteReranker, rerankAddress, type RemoteRerankerOptions } from './remote.ts'
import type { Reranker } from './reranker.ts'

interface Asked {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: { model?: string; query: string; documents?: string[]; texts?: string[]; top_n?: number; truncate?: boolean }
}

const apiKey = 'very-secret-key'
const never = new AbortController().signal
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
let server: Server
let asked: Asked[]
/** Responses of the endpoint in order; after them it responds correctly. */
let answers: ((response: ServerResponse, asked: Asked) => void)[]

beforeEach(async () => {
  asked = []
  answers = []
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const one = { path: request.url ?? '', authorization: request.headers.authorization, body: JSON.parse(await text(request)) }
  asked.push(one)
  const next = answers.shift() ?? ((to: ServerResponse) => sendJson(to, 200, { results: scored(one.body.documents ?? []).toReversed() }))
  next(response, one)
}

/** The share of a text that is the letter a. */
const share = (document: string): number => document.replace(/[^a]/g, '').length / document.length
const scored = (documents: readonly string[]) => documents.map((document, index) => ({ index, relevance_score: share(document) }))

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const failWith = (status: number) => (response: ServerResponse) => sendJson(response, status, { message: `not with ${apiKey}` })

function open(options: Partial<RemoteRerankerOptions> = {}): Reranker {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return openRemoteReranker({ url, fetch: outbound.trustedFetch(url), retryDelayMs: 1, ...options })
}

test('the URL is the base URL with /rerank, or is given with it', () => {
  expect(rerankAddress('https://example.com')).toBe('https://example.com/rerank')
  expect(rerankAddress('https://example.com/v2/')).toBe('https://example.com/v2/rerank')
  expect(rerankAddress('https://example.com/v2/rerank')).toBe('https://example.com/v2/rerank')
})

test('scores are in the order of the documents, regardless of the order in the reply', async () => {
  const documents = ['ab', 'bb', 'aa']
  expect(await open({ model: 'm', apiKey }).rerank('a?', documents, never)).toEqual([0.5, 0, 1])
  expect(asked).toEqual([{ path: '/v1/rerank', authorization: `Bearer ${apiKey}`, body: { model: 'm', query: 'a?', documents, top_n: 3 } }])
  expect(await open().rerank('a?', [], never)).toEqual([])
  expect(asked).toHaveLength(1)
})

test('an endpoint that requires `texts` gets that format with 32 texts per request, and later requests use it directly', async () => {
  const inference = (response: ServerResponse, { body }: Asked): void => {
    if (body.texts === undefined) return failWith(422)(response)
    sendJson(
      response,
      200,
      body.texts.map((document, index) => ({ index, score: share(document) })),
    )
  }
  answers = Array.from({ length: 5 }, () => inference)
  const reranker = open()
  const documents = Array.from({ length: 40 }, (_, at) => 'a'.repeat(at) + 'b'.repeat(40 - at))
  expect(await reranker.rerank('a?', documents, never)).toEqual(documents.map(share))
  expect(await reranker.rerank('a?', ['ab'], never)).toEqual([0.5])
  expect(asked.map(({ body }) => body.texts?.length)).toEqual([undefined, 32, 8, 1])
})

test.each([
  ['Voyage', { data: [{ index: 0, relevance_score: 0.25 }] }, 0.25],
  ['a rounded one', { results: [{ index: 0, relevance_score: 1.0000001 }] }, 1],
])('the reply format of %s is read', async (_, reply, relevance) => {
  answers = [(response) => sendJson(response, 200, reply)]
  expect(await open().rerank('q', ['d'], never)).toEqual([relevance])
})

describe('fails', () => {
  test.each([
    ['something else', 'no', /did not return relevance scores/],
    ['too few', { results: [] }, /0 relevances for 1/],
    ['raw scores', { results: [{ index: 0, relevance_score: -3.2 }] }, /from 0 to 1/],
    ['an index of no document', { results: [{ index: 4, relevance_score: 0.2 }] }, /0 relevances/],
    ['megabytes', { results: 'x'.repeat(3_000_000) }, /more than 2000000 bytes/],
  ])('for a reply that is %s', async (_, reply, message) => {
    answers = [(response) => sendJson(response, 200, reply)]
    await expect(open().rerank('q', ['d'], never)).rejects.toThrow(message)
    expect(asked).toHaveLength(1)
  })

  test.each([
    [500, 2],
    [503, 2],
    [429, 1],
    [401, 1],
  ])('with %i after %i attempts, without the key in the message', async (status, attempts) => {
    answers = Array.from({ length: 5 }, () => failWith(status))
    const error: unknown = await open({ apiKey })
      .rerank('q', ['d'], never)
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ message: `The reranking endpoint answered ${status}` })
    expect(JSON.stringify(error, ['message', 'cause'])).not.toContain(apiKey)
    expect(asked).toHaveLength(attempts)
  })

  test('not when the second attempt succeeds', async () => {
    answers = [failWith(502)]
    expect(await open().rerank('q', ['ab'], never)).toEqual([0.5])
  })

  test('on a timeout, and immediately on an abort', async () => {
    answers = [() => undefined, () => undefined]
    await expect(open({ timeoutMs: 20 }).rerank('q', ['d'], never)).rejects.toThrow('gave no answer in 20 ms')
    const given = new AbortController()
    const abandoned = open().rerank('q', ['d'], given.signal)
    given.abort(new Error('nobody waits'))
    await expect(abandoned).rejects.toThrow('nobody waits')
  })

  test('at the start with a key that is invalid in a header', () => {
    expect(() => open({ apiKey: 'a\nb' })).toThrow('no header can carry')
  })
})
