import { Groundwork } from './client.ts'
import type { GroundworkOptions } from './transport.ts'

type Given = Response | Error | ((request: Request) => Response | Promise<Response>)

/** A client whose requests are answered one by one from a list, and the requests that it has sent. */
export function clientAnswered(given: Given[], options: Partial<GroundworkOptions> = {}): { client: Groundwork; requests: Request[] } {
  const requests: Request[] = []
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    requests.push(request)
    const next = given.shift()
    if (next === undefined) throw new Error(`an unexpected request: ${request.method} ${request.url}`)
    if (next instanceof Error) throw next
    return next instanceof Response ? next : next(request)
  }
  return { client: new Groundwork({ baseUrl: 'http://groundwork.test/', token: 'gw_token', fetch: answer, ...options }), requests }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'x-request-id': 'req_1', ...headers } })

export const refused = (status: number, code: string, headers: Record<string, string> = {}, more: object = {}): Response =>
  json({ error: { code, message: `because of ${code}`, requestId: 'req_1', ...more } }, status, headers)

/** As `fetch` does, it never answers and ends when its signal says so. */
export const never = (request: Request): Promise<Response> =>
  new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason as Error)))
