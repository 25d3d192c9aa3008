import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { connect as openSocket, type AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { Dial } from './connect.ts'
import { createCookies } from './cookies.ts'
import { OutboundError } from './error.ts'
import { expectOk } from './expect-ok.ts'
import { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts'
import { refusedUrls } from '../testing/hostile-values.ts'

const caps = { maxBytes: 1_000_000, timeoutMs: 5_000 }
const publicAddress = '93.184.215.14'
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function serve(listener: RequestListener): Promise<{ port: number; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    listener(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  cleanups.push(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return { port: portOf(server.address()), seen }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return address.port
}

function outbound(options: Partial<OutboundOptions> = {}): Outbound {
  const made = createOutbound({ allowHosts: [], userAgent: 'test/1', ...options })
  cleanups.push(() => made.close())
  return made
}

/**
 * Simulates the internet: records each dialled address and opens the socket to `port` on loopback with that address, or
 * `arrivesAt`, as its remote address.
 */
function internet(port: number, arrivesAt?: string): { dial: Dial; dialled: string[] } {
  const dialled: string[] = []
  const dial: Dial = (_options, addresses, callback) => {
    const address = addresses[0]?.address ?? ''
    dialled.push(address)
    const socket = openSocket(port, '127.0.0.1', () => callback(null, socket))
    socket.on('error', () => {})
    Object.defineProperty(socket, 'remoteAddress', { value: arrivesAt ?? address })
  }
  return { dial, dialled }
}

async function outcome(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof OutboundError ? error.code : String(error)),
  )
}

/** Returns the guard's decision without network traffic: names resolve to `answers`, and dials are only recorded. */
async function decide(url: string, answers: Record<string, string[]> = {}, allowHosts: string[] = []): Promise<string> {
  let dialled = false
  const made = outbound({
    allowHosts,
    resolve: async (host) => (answers[host] ?? ['127.0.0.1']).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    dial: (_options, _addresses, callback) => {
      dialled = true
      callback(new OutboundError('fetch_failed', 'recorded'), null)
    },
  })
  const code = await outcome(made.fetch(url, caps))
  return dialled ? 'dialled' : code
}

describe('the guard', () => {
  it.each([
    'http://127.0.0.1/',
    'http://localhost:5432/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://169.254.169.254/latest/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://[fe80::1]/',
    'http://[2002:7f00:1::]/',
    'http://[64:ff9b::7f00:1]/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://loc%61lhost/',
    'http://LOCALHOST./',
    'http://printer.local/',
    'http://a.localhost/',
    'http://private.example/',
    'http://mixed.example/',
    'file:///etc/passwd',
    'ftp://public.example/',
    'gopher://127.0.0.1:6379/_INFO',
    'data:text/html,x',
    'javascript:alert(1)',
    'http://user:pass@public.example/',
    'http://public.example@127.0.0.1/',
    'http://public.example:22/',
    'http://public.example:25/',
    'http://public.example:6379/',
    'http://public.example\\@127.0.0.1/',
    'http://empty.example/',
    '',
    'not an address',
    'http://',
  ])('refuses %s', async (url) => {
    const answers = {
      'public.example': [publicAddress],
      'mixed.example': [publicAddress, '10.0.0.1'],
      'private.example': ['::ffff:192.168.0.1'],
      'empty.example': [],
    }
    // The URL standard treats a backslash as a slash, so the host is public and the rest is a path.
    expect(await decide(url, answers)).toBe(url.includes('\\') ? 'dialled' : 'blocked_address')
  })

  it.each([
    'http://public.example/',
    'https://public.example/',
    'http://public.example:8080/',
    `http://${publicAddress}/`,
    'http://[2606:4700::1111]/',
  ])('allows %s', async (url) => expect(await decide(url, { 'public.example': [publicAddress, '2606:4700::1111'] })).toBe('dialled'))

  it.each(refusedUrls)('refuses $url ($why)', async ({ url }) => expect(await decide(url)).toBe('blocked_address'))

  it('exempts every port of a listed host, and only the given port of a listed host with port', async () => {
    expect(await decide('http://127.0.0.1:22/', {}, ['127.0.0.1'])).toBe('dialled')
    expect(await decide('http://localhost:8080/', {}, ['LOCALHOST:8080'])).toBe('dialled')
    expect(await decide('http://localhost:8081/', {}, ['localhost:8080'])).toBe('blocked_address')
    expect(await decide('http://[::1]:81/', {}, ['[::1]:81'])).toBe('dialled')
    expect(await decide('http://intranet/', { intranet: ['10.1.1.1'] }, ['intranet:80'])).toBe('dialled')
    expect(await decide('http://127.0.0.2/', {}, ['127.0.0.1'])).toBe('blocked_address')
    expect(await decide('http://sub.intranet/', {}, ['intranet'])).toBe('blocked_address')
    expect(await decide('ftp://127.0.0.1/', {}, ['127.0.0.1'])).toBe('blocked_address')
  })

  it('dials the address it checked, even if the name resolves to another one later', async () => {
    const { port } = await serve((_request, response) => void response.setHeader('connection', 'close').end('ok'))
    const answers = [publicAddress, '127.0.0.1', '10.0.0.1']
    const { dial, dialled } = internet(port)
    const made = outbound({ dial, resolve: async () => [{ address: answers.shift() ?? '', family: 4 }] })
    expect((await made.fetch('http://rebinding.example/', caps)).status).toBe(200)
    expect(await outcome(made.fetch('http://rebinding.example/', caps))).toBe('blocked_address')
    expect(await outcome(made.fetch('http://rebinding.example/', caps))).toBe('blocked_address')
    expect(dialled).toEqual([publicAddress])
  })

  it('drops a socket with another remote address before it sends a byte', async () => {
    const { port, seen } = await serve((_request, response) => void response.end('secret'))
    const { dial } = internet(port, '127.0.0.1')
    const made = outbound({ dial, resolve: async () => [{ address: publicAddress, family: 4 }] })
    expect(await outcome(made.fetch('http://public.example/', caps))).toBe('blocked_address')
    expect(seen).toHaveLength(0)
  })

  it('reuses a checked connection', async () => {
    const { port } = await serve((_request, response) => void response.end('ok'))
    const { dial, dialled } = internet(port)
    const made = outbound({ dial, resolve: async () => [{ address: publicAddress, family: 4 }] })
    for (let i = 0; i < 10; i++) await made.fetch('http://public.example/', caps)
    expect(dialled.length).toBeLessThan(10)
  })

  it('makes requests to allowed hosts on loopback', async () => {
    const { port } = await serve((_request, response) => void response.end('ok'))
    const made = outbound({ allowHosts: ['127.0.0.1', 'localhost'] })
    expect(Buffer.from((await made.fetch(`http://127.0.0.1:${port}/`, caps)).body).toString()).toBe('ok')
    expect((await made.fetch(`http://localhost:${port}/`, caps)).status).toBe(200)
    expect(await outcome(outbound().fetch(`http://127.0.0.1:${port}/`, caps))).toBe('blocked_address')
  })
})

describe('redirects', () => {
  it('are followed and checked on every hop', async () => {
    const { port } = await serve((request, response) => {
      const to: Record<string, string> = {
        '/a': '/b',
        '/metadata': 'http://169.254.169.254/',
        '/file': 'file:///etc/passwd',
        '/user': 'http://u:p@public.example/',
      }
      const location = to[request.url ?? '']
      if (location) response.writeHead(302, { location })
      response.end('page')
    })
    const made = outbound({ allowHosts: [`127.0.0.1:${port}`] })
    const base = `http://127.0.0.1:${port}`
    expect(await made.fetch(`${base}/a`, caps)).toMatchObject({ status: 200, url: `${base}/b` })
    for (const path of ['metadata', 'file', 'user']) expect(await outcome(made.fetch(`${base}/${path}`, caps))).toBe('blocked_address')
    expect(await made.fetch(`${base}/metadata`, { ...caps, maxRedirects: 0 })).toMatchObject({ status: 302 })
  })

  it('fail after the maximum number of hops', async () => {
    const { port, seen } = await serve((_request, response) => void response.writeHead(301, { location: '/again' }).end())
    const made = outbound({ allowHosts: ['127.0.0.1'] })
    expect(await outcome(made.fetch(`http://127.0.0.1:${port}/`, { ...caps, maxRedirects: 3 }))).toBe('fetch_failed')
    expect(seen).toHaveLength(4)
  })

  it('are followed ten times by default, and counted', async () => {
    const { port, seen } = await serve((request, response) => {
      const at = Number(request.url?.slice(1))
      if (at > 0) response.writeHead(302, { location: `/${at - 1}` })
      response.end()
    })
    const made = outbound({ allowHosts: ['127.0.0.1'] })
    expect(await made.fetch(`http://127.0.0.1:${port}/10`, caps)).toMatchObject({ status: 200, redirects: 10 })
    expect(await outcome(made.fetch(`http://127.0.0.1:${port}/11`, caps))).toBe('fetch_failed')
    expect(seen).toHaveLength(22)
  })

  it('keep cookies for a request that allows them', async () => {
    const { port, seen } = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/two', 'set-cookie': ['a=1; Path=/', 'b=2; Path=/other'] })
      response.end()
    })
    const made = outbound({ allowHosts: ['127.0.0.1'] })
    await made.fetch(`http://127.0.0.1:${port}/`, { ...caps, cookies: createCookies() })
    await made.fetch(`http://127.0.0.1:${port}/`, caps)
    expect(seen.map(({ headers }) => headers.cookie)).toEqual([undefined, 'a=1', undefined, undefined])
  })

  it('drop credentials for another origin and keep them for the same one', async () => {
    const other = await serve((_request, response) => void response.end())
    const { port, seen } = await serve((request, response) => {
      const location = request.url === '/same' ? '/away' : `http://127.0.0.1:${other.port}/`
      response.writeHead(307, { location }).end()
    })
    const made = outbound({ allowHosts: ['127.0.0.1'] })
    const headers = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Api-Key': 'y', 'Content-Type': 'text/plain' }
    await made.fetch(`http://127.0.0.1:${port}/same`, { ...caps, method: 'POST', body: 'sent', headers })
    expect(seen[1]?.headers).toMatchObject({ authorization: 'Bearer x', cookie: 'a=b' })
    expect(other.seen[0]?.method).toBe('POST')
    expect(other.seen[0]?.headers).toMatchObject({ 'user-agent': 'test/1', 'content-type': 'text/plain' })
    for (const name of ['authorization', 'cookie', 'x-api-key']) expect(other.seen[0]?.headers).not.toHaveProperty(name)
  })

  it('change a POST into a GET for 303', async () => {
    const { port, seen } = await serve((request, response) => {
      if (request.url === '/post') response.writeHead(303, { location: '/get' })
      response.end()
    })
    await outbound({ allowHosts: ['127.0.0.1'] }).fetch(`http://127.0.0.1:${port}/post`, { ...caps, method: 'POST', body: 'x' })
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'GET'])
    expect(seen[1]?.headers['content-length']).toBeUndefined()
  })
})

async function reply(
  listener: RequestListener,
  request: { maxBytes?: number; timeoutMs?: number; overflow?: 'cut'; signal?: AbortSignal } = {},
) {
  const { port } = await serve(listener)
  return outbound({ allowHosts: ['127.0.0.1'] }).fetch(`http://127.0.0.1:${port}/`, { ...caps, ...request })
}

const decoded = async (encoding: string, body: Buffer) =>
  Buffer.from((await reply((_request, response) => void response.setHeader('content-encoding', encoding).end(body))).body).toString()

const sendSlowly: RequestListener = (_request, response) => {
  const timer = setInterval(() => response.write('.'), 20)
  response.on('close', () => clearInterval(timer))
}

const withStatus = (status: number) => () => expectOk({ status, url: 'http://a.example/', headers: new Headers(), body: new Uint8Array() })

describe('limits', () => {
  it('count decoded bytes', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    expect(await outcome(reply((_request, response) => void response.setHeader('content-encoding', 'gzip').end(bomb)))).toBe('too_large')
    expect(
      await outcome(reply((_request, response) => void response.setHeader('content-encoding', 'gzip, gzip').end(gzipSync(bomb)))),
    ).toBe('too_large')
    expect(await outcome(reply((_request, response) => void response.setHeader('content-encoding', 'gzip,gzip,gzip').end(bomb)))).toBe(
      'fetch_failed',
    )
    const cut = await reply((_request, response) => void response.setHeader('content-encoding', 'gzip').end(bomb), { overflow: 'cut' })
    expect(cut.body).toHaveLength(caps.maxBytes)
  })

  it('apply to uncompressed bodies with and without Content-Length', async () => {
    const big = Buffer.alloc(caps.maxBytes + 1)
    expect(await outcome(reply((_request, response) => void response.end(big)))).toBe('too_large')
    expect(await outcome(reply((_request, response) => void response.setHeader('transfer-encoding', 'chunked').end(big)))).toBe('too_large')
    expect((await reply((_request, response) => void response.end(big.subarray(1)))).body).toHaveLength(caps.maxBytes)
  })

  it('decode bodies below the limit', async () => {
    expect(await decoded('gzip', gzipSync('grüße'))).toBe('grüße')
    expect(await decoded('br', brotliCompressSync('grüße'))).toBe('grüße')
    expect(await outcome(decoded('gzip', Buffer.from('not gzip at all')))).toBe('fetch_failed')
    expect(await outcome(decoded('gzip', gzipSync('cut short, so that the end is missing').subarray(0, 30)))).toBe('fetch_failed')
    expect(await outcome(decoded('zstd', Buffer.from('x')))).toBe('fetch_failed')
  })

  it('end a slow reply, a missing reply and an aborted request', async () => {
    expect(await outcome(reply(sendSlowly, { timeoutMs: 200 }))).toBe('timeout')
    expect(await outcome(reply(() => {}, { timeoutMs: 100 }))).toBe('timeout')
    const aborted = new AbortController()
    const pending = reply(() => aborted.abort(new Error('aborted')), { signal: aborted.signal })
    expect(await outcome(pending)).toBe('Error: aborted')
  })

  it('refuse huge headers', async () => {
    expect(await outcome(reply((_request, response) => void response.setHeader('x-huge', 'x'.repeat(40_000)).end()))).toBe('fetch_failed')
  })

  it('truncate the body of an error reply', async () => {
    const response = await reply((_request, answer) => void answer.writeHead(500).end(Buffer.alloc(200_000)))
    expect(response.status).toBe(500)
    expect(response.body).toHaveLength(64 * 1024)
  })
})

describe('failures', () => {
  it('below HTTP are fetch_failed, retryable or not', async () => {
    const { port } = await serve((request) => request.socket.destroy())
    const made = outbound({
      allowHosts: ['127.0.0.1', 'gone.example'],
      resolve: async () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })),
    })
    await expect(made.fetch(`http://127.0.0.1:${port}/`, caps)).rejects.toMatchObject({ code: 'fetch_failed', retryable: true })
    await expect(made.fetch('http://gone.example/', caps)).rejects.toMatchObject({ code: 'fetch_failed', retryable: false })
    await expect(made.fetch('http://127.0.0.1:1/', caps)).rejects.toMatchObject({ code: 'fetch_failed', retryable: true })
  })

  it('by status are classified by expectOk', () => {
    expect(withStatus(204)().status).toBe(204)
    expect(withStatus(404)).toThrow(expect.objectContaining({ code: 'not_found', retryable: false }))
    expect(withStatus(410)).toThrow(expect.objectContaining({ code: 'not_found' }))
    expect(withStatus(403)).toThrow(expect.objectContaining({ code: 'fetch_failed', retryable: false }))
    expect(withStatus(503)).toThrow(expect.objectContaining({ code: 'fetch_failed', retryable: true }))
    expect(withStatus(429)).toThrow(expect.objectContaining({ retryable: true }))
  })
})

describe('trustedFetch', () => {
  it('only reaches the endpoint that the operator configured', async () => {
    const { port } = await serve((request, response) => {
      if (request.url === '/moved') return void response.writeHead(302, { location: '/v1' }).end()
      return void response.setHeader('content-type', 'application/json').end('{"ok":true}')
    })
    const fetch = outbound().trustedFetch(`http://127.0.0.1:${port}/v1`)
    const response = await fetch(`http://127.0.0.1:${port}/v1/embeddings`, { method: 'POST', body: '{}' })
    expect(await response.json()).toEqual({ ok: true })
    await expect(fetch(`http://127.0.0.1:${port + 1}/v1`)).rejects.toThrow(OutboundError)
    await expect(fetch(`http://127.0.0.1:${port}/moved`)).rejects.toThrow(TypeError)
  })
})
