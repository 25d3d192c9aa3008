import { once } from 'node:events'
import { createServer, request, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createOutbound } from './outbound.ts'
import type { OutboundProxy } from './proxy.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function serve(listener: RequestListener): Promise<{ host: string; hits: string[] }> {
  const hits: string[] = []
  const server = createServer((asked, response) => {
    hits.push(`${asked.method} ${asked.url}`)
    listener(asked, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close().closeAllConnections())
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, hits }
}

async function proxyFor(allowHosts: string[], maxBytes = 1_000_000): Promise<OutboundProxy> {
  const resolve = async (host: string) => [{ address: host === 'late.example' ? '10.0.0.1' : '127.0.0.1', family: 4 }]
  const outbound = createOutbound({ allowHosts, userAgent: 'test', resolve })
  const proxy = await outbound.openProxy({ maxBytes })
  cleanups.push(
    () => proxy.close(),
    () => outbound.close(),
  )
  return proxy
}

async function get({ port }: OutboundProxy, url: string, method = 'GET', body = ''): Promise<[number | undefined, string]> {
  const asked = request({ port, method, path: url, headers: { host: new URL(url).host, 'proxy-authorization': 'secret' } }).end(body)
  const [reply] = await once(asked, 'response')
  let text = ''
  for await (const chunk of reply.setEncoding('utf8')) text += chunk
  return [reply.statusCode, text]
}

/** Returns the status of the CONNECT and the reply to a request through the tunnel. */
async function tunnel({ port }: OutboundProxy, target: string): Promise<[number | undefined, string]> {
  const asked = request({ port, method: 'CONNECT', path: target }).end()
  const [reply, socket] = await once(asked, 'connect')
  let text = ''
  if (reply.statusCode === 200) socket.write('GET /inside HTTP/1.0\r\n\r\n')
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  return [reply.statusCode, text.split('\r\n\r\n')[1] ?? '']
}

it('forwards requests and tunnels to allowed hosts without following redirects', async () => {
  const { host, hits } = await serve((asked, response) => {
    if (asked.url === '/moved') return response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    if (asked.method === 'POST') return asked.pipe(response)
    return response.end(asked.headers['proxy-authorization'] ?? 'nothing of the proxy')
  })
  const proxy = await proxyFor([host])
  expect(await get(proxy, `http://${host}/a?b=c`)).toEqual([200, 'nothing of the proxy'])
  expect(await get(proxy, `http://${host}/echo`, 'POST', 'there and back')).toEqual([200, 'there and back'])
  expect(await get(proxy, `http://${host}/moved`)).toEqual([302, ''])
  expect(await tunnel(proxy, host)).toEqual([200, 'nothing of the proxy'])
  expect(hits).toEqual(['GET /a?b=c', 'POST /echo', 'GET /moved', 'GET /inside'])
})

it('refuses the same addresses and names as the guard, also in tunnels', async () => {
  const { host, hits } = await serve((_asked, response) => response.end('inside'))
  const proxy = await proxyFor([])
  const { port } = new URL(`http://${host}`)
  for (const target of [
    host,
    `localhost:${port}`,
    `named.example:${port}`,
    'late.example:443',
    '[::1]:8080',
    '169.254.169.254:80',
    '8.8.8.8:25',
  ]) {
    expect([target, (await get(proxy, `http://${target}/`))[0]]).toEqual([target, 403])
    expect([target, (await tunnel(proxy, target))[0]]).toEqual([target, 403])
  }
  for (const target of ['nonsense', 'a:b', 'user@8.8.8.8:443', '1.1.1.1:99999']) expect((await tunnel(proxy, target))[0]).toBe(403)
  expect((await get(proxy, 'ftp://example.com/'))[0]).toBe(403)
  expect(hits).toEqual([])
})

it('closes all connections at its byte limit', async () => {
  const { host } = await serve((_asked, response) => response.end(Buffer.alloc(300_000)))
  const proxy = await proxyFor([host], 100_000)
  await expect(get(proxy, `http://${host}/`)).rejects.toThrow(/aborted|hang up|ECONNRESET/)
  expect(proxy.full).toBe(true)
})
