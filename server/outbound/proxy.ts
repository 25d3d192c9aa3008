import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transform, type Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { buildConnector, Dispatcher } from 'undici'
import { OutboundError } from './error.ts'

/** A forward proxy on loopback that guards every connection. */
export interface OutboundProxy {
  /** On 127.0.0.1. */
  readonly port: number
  /** Whether `maxBytes` was reached and all connections were closed. */
  readonly full: boolean
  /** Closes the proxy and its connections. */
  close(): Promise<void>
}

export interface ProxyOptions {
  /** Maximum bytes of all responses together, on the wire. */
  readonly maxBytes: number
}

const hopByHop = new Set(
  'connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade'.split(' '),
)
const maxConnections = 64

/**
 * Opens a proxy for a client with requests of its own, such as a browser: plain requests use `dispatcher`, tunnels (CONNECT)
 * use `connect`, and both decide at connect time. The client follows redirects through the proxy. Refused requests get 403,
 * failures below HTTP 502.
 */
export async function openProxy(
  guard: { dispatcher: Dispatcher; connect: buildConnector.connector; check: (url: string) => URL },
  { maxBytes }: ProxyOptions,
): Promise<OutboundProxy> {
  const open = new Set<Duplex>()
  let received = 0
  const end = new AbortController()

  const track = (socket: Duplex): void => {
    open.add(socket)
    socket.on('error', () => {}).once('close', () => open.delete(socket))
    if (end.signal.aborted) socket.destroy()
  }
  const cut = (): void => {
    end.abort()
    for (const socket of open) socket.destroy()
  }
  const counted = (): Transform =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        received += chunk.length
        if (received > maxBytes) cut()
        done(null, chunk)
      },
    })

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = guard.check(request.url ?? '')
      const reply = await guard.dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method ?? 'GET',
        headers: { ...endToEnd(request.headers), host: url.host },
        body: request.method === 'GET' || request.method === 'HEAD' ? null : request,
        signal: end.signal,
      })
      response.writeHead(reply.statusCode, endToEnd(reply.headers))
      await pipeline(reply.body, counted(), response)
    } catch (error) {
      refuse(response, error)
    }
  }

  function tunnel(request: IncomingMessage, client: Duplex, head: Buffer): void {
    const refused = (error: unknown): void =>
      void client.end(`HTTP/1.1 ${statusOf(error)} ${messageOf(error)}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
    try {
      const { hostname, host, port } = guard.check(`http://${request.url}`)
      // Opens a plain socket: the client does TLS inside the tunnel.
      guard.connect({ hostname, host, protocol: 'http:', port: port || '80' }, (...[error, upstream]) => {
        if (error) return refused(error)
        track(upstream)
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
        upstream.write(head)
        // A connection that breaks ends the tunnel: the pipeline has destroyed both sides, and the client sees it.
        pipeline(client, upstream).catch(() => undefined)
        pipeline(upstream, counted(), client).catch(() => undefined)
      })
    } catch (error) {
      refused(error)
    }
  }

  const server = createServer((request, response) => void forward(request, response))
  server.maxConnections = maxConnections
  server.on('connection', track).on('connect', tunnel)
  server.listen(0, '127.0.0.1')
  await new Promise((listening, failed) => void server.once('listening', listening).once('error', failed))
  return {
    port: (server.address() as AddressInfo).port,
    get full() {
      return received > maxBytes
    },
    close: () => {
      cut()
      return new Promise((closed) => void server.close(() => closed()))
    },
  }
}

function endToEnd(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined || hopByHop.has(name) ? [] : [[name, value]])),
  )
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(statusOf(error), { 'content-type': 'text/plain' }).end(messageOf(error))
}

const statusOf = (error: unknown): number => (error instanceof OutboundError && error.code === 'blocked_address' ? 403 : 502)
const messageOf = (error: unknown): string => (statusOf(error) === 403 ? 'Not a public address' : 'No reply')
