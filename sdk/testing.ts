import { Groundwork } from './client.ts'
import type { GroundworkOptions } from './transport.ts'

type Given = Response | Error | ((request: Request) => Response | Promise<Response>)

/**
 * A client whose requests are answered one by one from a list, and the requests that it has sent.
 * @param events answers the requests for events, which come when they come, instead
 */
export function clientAnswered(
  given: Given[],
  options: Partial<GroundworkOptions> = {},
  events?: (request: Request) => Response | Promise<Response>,
): { client: Groundwork; requests: Request[] } {
  const requests: Request[] = []
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    if (events !== undefined && new URL(request.url).pathname.startsWith('/v1/events')) return events(request)
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

/** An answer that goes on: `first`, and what is sent to it, until it is ended or broken, or its request is aborted. */
export function eventStreamAnswer(first = ':\n\n'): {
  answer: (request: Request) => Response
  send: (text: string) => void
  end: () => void
  fail: () => void
} {
  let body: ReadableStreamDefaultController<Uint8Array> | undefined
  return {
    answer: ({ signal }) =>
      new Response(
        new ReadableStream<Uint8Array>({
          start(controller) {
            body = controller
            controller.enqueue(new TextEncoder().encode(first))
            signal.addEventListener('abort', () => controller.error(signal.reason))
          },
        }),
        { headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
      ),
    send: (text) => body?.enqueue(new TextEncoder().encode(text)),
    end: () => body?.close(),
    fail: () => body?.error(new TypeError('terminated')),
  }
}
