import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './at-end.ts'

export interface Site {
  /** Host and port, for FETCH_ALLOW_HOSTS and URLs. */
  readonly host: string
  /** Responses by path; other paths answer 404. */
  readonly pages: Map<string, (response: ServerResponse, request: { headers: IncomingHttpHeaders }) => void>
  /** All requests received. */
  readonly requests: { path: string; headers: IncomingHttpHeaders }[]
}

/** Starts a web site on loopback that stops after the test file. */
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
  atEnd(() => new Promise((closed) => server.close(closed)))
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, pages, requests }
}
