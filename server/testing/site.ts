import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export interface Site {
  /** Name and port, for FETCH_ALLOW_HOSTS and addresses. */
  readonly host: string
  /** What each path answers; what is not here is 404. */
  readonly pages: Map<string, (response: ServerResponse, request: { headers: IncomingHttpHeaders }) => void>
  /** Every request that came. */
  readonly requests: { path: string; headers: IncomingHttpHeaders }[]
}

/** A web site on loopback for the time of a test file. */
export async function startSite(): Promise<Site> {
  const pages: Site['pages'] = new Map()
  const requests: Site['requests'] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    const page = pages.get(path)
    if (page === undefined) response.writeHead(404).end('no')
    else page(response, request)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  afterAll(() => new Promise((closed) => server.close(closed)))
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, pages, requests }
}
