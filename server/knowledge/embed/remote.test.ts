import { once } from 'node:events'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Embedder } from './embedder.ts'
import { type RemoteEmbedderOptions, embeddingsAddress, openRemoteEmbedder } from './remote.ts'

interface Asked {
  readonly path: string
  readonly authorization: string | undefined
  readonly model: string
  readonly input: string[]
}

const apiKey = 'sk-very-secret-key'

let server: Server
let embedder: Embedder | undefined
let asked: Asked[]
/** Responses of the endpoint in order; after them it responds correctly. */
let answers: ((response: ServerResponse, input: string[]) => void)[]

beforeEach(async () => {
  asked = []
  answers = []
  server = createServer((request, response) => void reply(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  await embedder?.close()
  server.closeAllConnections()
  server.close()
})

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const { model, input }: { model: string; input: string[] } = JSON.parse(body)
  asked.push({ path: request.url ?? '', authorization: request.headers.authorization, model, input })
  const answer = answers.shift() ?? sendVectors
  answer(response, input)
}

/** Two dimensions that tell the text's length, in reverse order and not of unit length. */
function sendVectors(response: ServerResponse, input: string[]): void {
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 10] }))
  sendJson(response, 200, { object: 'list', data: data.toReversed() })
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const failWith =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    sendJson(response, status, { error: { message: `You sent ${apiKey}` } }, headers)

function open(options: Partial<RemoteEmbedderOptions> = {}): Embedder {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The endpoint does not listen')
  embedder = openRemoteEmbedder({
    url: `http://127.0.0.1:${address.port}/v1`,
    model: 'lengths',
    dimensions: 2,
    fetch: (url, init) => fetch(url, init),
    retryDelayMs: 1,
    ...options,
  })
  return embedder
}

function direction(length: number): Float32Array {
  return Float32Array.of(length / Math.hypot(length, 10), 10 / Math.hypot(length, 10))
}

describe('requests', () => {
  test('go to the embeddings path below the base URL', () => {
    expect(embeddingsAddress('http://127.0.0.1:1234')).toBe('http://127.0.0.1:1234/v1/embeddings')
    expect(embeddingsAddress('http://127.0.0.1:1234/v1')).toBe('http://127.0.0.1:1234/v1/embeddings')
    expect(embeddingsAddress('https://example.org/api/v2/')).toBe('https://example.org/api/v2/embeddings')
    expect(embeddingsAddress('https://example.org/v1/embeddings/')).toBe('https://example.org/v1/embeddings/')
    expect(embeddingsAddress('https://example.org/x/embeddings?api-version=2')).toBe('https://example.org/x/embeddings?api-version=2')
  })

  test('contain the model, the key, the prefix for the purpose and at most a batch of texts', async () => {
    open({ apiKey, batchSize: 2, queryPrefix: 'query: ', passagePrefix: 'passage: ' })
    const vectors = await embedder?.embed(['a', 'bb', 'ccc', 'dddd', 'eeeee'], 'passage')
    await embedder?.embed(['a'], 'query')
    expect(asked.map(({ input }) => input)).toEqual([
      ['passage: a', 'passage: bb'],
      ['passage: ccc', 'passage: dddd'],
      ['passage: eeeee'],
      ['query: a'],
    ])
    expect(new Set(asked.map(({ path, model, authorization }) => `${path} ${model} ${authorization}`))).toEqual(
      new Set([`/v1/embeddings lengths Bearer ${apiKey}`]),
    )
    expect(vectors).toEqual([10, 11, 12, 13, 14].map(direction))
  })

  test('have no Authorization header without a key, and are not sent without texts', async () => {
    expect(await open().embed([], 'passage')).toEqual([])
    await open().embed(['a'], 'passage')
    expect(asked).toMatchObject([{ authorization: undefined }])
  })

  test('contain only well-formed text', async () => {
    await open().embed(['', ' \n', 'half \ud83d'], 'passage')
    expect(asked[0]?.input).toEqual(['.', '.', 'half \ufffd'])
  })

  test('split a long text and average the vectors of its windows', async () => {
    const [vector] = await open({ maxInputChars: 6 }).embed(['aaaa bbb'], 'passage')
    expect(asked[0]?.input).toEqual(['aaaa', 'bbb'].map((word) => expect.stringContaining(word)))
    expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5)
  })

  test('are not repeated for the same query', async () => {
    open()
    expect(await embedder?.embed(['again'], 'query')).toEqual(await embedder?.embed(['again'], 'query'))
    expect(asked).toHaveLength(1)
  })

  test('are refused with a key that is invalid in a header, without revealing it', () => {
    expect(() => open({ apiKey: `${apiKey}\nx: y` })).toThrow(/^(?!.*very-secret)/)
  })
})

describe('replies', () => {
  test('can contain base64', async () => {
    answers.push((response, input) => {
      const data = input.map((text, index) => ({
        index,
        embedding: Buffer.from(Float32Array.of(text.length, 10).buffer).toString('base64'),
      }))
      sendJson(response, 200, { data })
    })
    expect(await open().embed(['four', 'sixsix'], 'passage')).toEqual([4, 6].map(direction))
  })

  test.each([
    ['a wrong dimension', { data: [{ index: 0, embedding: [1, 2, 3] }] }, 'returned a vector of 3 dimensions where 2 are configured'],
    ['too few vectors', { data: [] }, 'returned 0 vectors for 1 texts'],
    ['no direction', { data: [{ index: 0, embedding: [0, 0] }] }, 'returned a vector of zeros'],
    ['a wrong index', { data: [{ index: 7, embedding: [1, 2] }] }, 'returned no vector for at least one text'],
    ['something else', { hello: 'world' }, 'did not return embeddings'],
    ['null for a number', { data: [{ index: 0, embedding: [null, 1] }] }, 'did not return embeddings'],
  ])('with %s fail immediately with that reason', async (_, body, message) => {
    answers.push((response) => sendJson(response, 200, body))
    await expect(open().embed(['a'], 'passage')).rejects.toMatchObject({
      code: 'embedding_failed',
      retryable: false,
      message: expect.stringContaining(message),
    })
    expect(asked).toHaveLength(1)
  })

  test('that are not JSON fail', async () => {
    answers.push((response) => response.writeHead(200).end('<html>Welcome</html>'))
    await expect(open().embed(['a'], 'passage')).rejects.toMatchObject({ code: 'embedding_failed' })
  })
})

describe('failures', () => {
  test('that are temporary are retried', async () => {
    answers.push(failWith(429), failWith(503), (response) => response.destroy())
    expect(await open().embed(['a'], 'passage')).toEqual([direction(1)])
    expect(asked).toHaveLength(4)
  })

  test('are retried after Retry-After, in seconds or as a date', async () => {
    answers.push(failWith(429, { 'retry-after': '0' }), failWith(503, { 'retry-after': new Date().toUTCString() }))
    expect(await open({ retryDelayMs: 1e9 }).embed(['a'], 'passage')).toEqual([direction(1)])
    expect(asked).toHaveLength(3)
  })

  test('that persist end the call: passages after all retries, a query after one', async () => {
    for (let at = 0; at < 9; at++) answers.push(failWith(500))
    await expect(open({ retries: 3 }).embed(['a'], 'passage')).rejects.toMatchObject({
      code: 'embedding_failed',
      retryable: true,
      message: 'The embedding endpoint answered 500',
    })
    expect(asked).toHaveLength(4)
    await expect(open({ retries: 3 }).embed(['a'], 'query')).rejects.toMatchObject({ code: 'embedding_failed' })
    expect(asked).toHaveLength(6)
  })

  test.each([400, 401, 403, 404, 413])('%i is final', async (status) => {
    answers.push(failWith(status))
    await expect(open({ apiKey }).embed(['a'], 'passage')).rejects.toMatchObject({ code: 'embedding_failed', retryable: false })
    expect(asked).toHaveLength(1)
  })

  test('never reveal the key, even if the endpoint repeats it', async () => {
    for (const status of [400, 401, 500]) {
      answers.push(failWith(status))
      const error: unknown = await open({ apiKey, retries: 0 })
        .embed(['a'], 'passage')
        .catch((reason: unknown) => reason)
      expect(everythingIn(error)).toContain(String(status))
      expect(everythingIn(error)).not.toContain(apiKey)
    }
  })

  test('with a Retry-After above one minute are not retried', async () => {
    answers.push(failWith(429, { 'retry-after': '3600' }))
    await expect(open().embed(['a'], 'passage')).rejects.toMatchObject({ code: 'embedding_failed', retryable: true })
    expect(asked).toHaveLength(1)
  })

  test('include an endpoint that never responds', async () => {
    answers.push(() => undefined)
    await expect(open({ timeoutMs: 100, retries: 0 }).embed(['a'], 'passage')).rejects.toMatchObject({
      message: 'The embedding endpoint gave no answer in 100 ms',
      retryable: true,
    })
  })

  test('include an unreachable endpoint', async () => {
    await expect(open({ url: 'http://127.0.0.1:1', retries: 1 }).embed(['a'], 'passage')).rejects.toMatchObject({
      message: 'The embedding endpoint cannot be reached',
      retryable: true,
    })
  })

  test('of an abort have its reason, during requests and pauses; closing ends both too', async () => {
    const abort = new AbortController()
    const reason = new Error('the source was deleted')
    answers.push(() => abort.abort(reason))
    await expect(open().embed(['a'], 'passage', abort.signal)).rejects.toBe(reason)

    const again = new AbortController()
    answers.push((response) => {
      failWith(429, { 'retry-after': '30' })(response)
      response.on('finish', () => setImmediate(() => again.abort(reason)))
    })
    await expect(open().embed(['a'], 'passage', again.signal)).rejects.toBe(reason)

    answers.push(() => void embedder?.close())
    await expect(open().embed(['a'], 'passage')).rejects.toMatchObject({ code: 'embedding_failed', message: 'The embedder is closed' })
  })
})

/** Message, stack and fields of an error and of its causes. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause ? everythingIn(error.cause) : ''}`
}
