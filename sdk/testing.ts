import { afterEach, beforeEach, vi } from 'vitest'
import { Groundwork } from './client.ts'
import type { GroundworkOptions } from './transport.ts'

type Given = Response | Error | ((request: Request) => Response | Promise<Response>)

/**
 * Returns a client whose `fetch` takes the next item of `given`: a `Response`, an `Error` to reject with, or a function of the request. A
 * request beyond the list rejects. `requests` records each request, except those that `events` handles. Only for the SDK's own tests; not
 * published.
 * @param events handles every request to a path that starts with `/v1/events`
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
    if (next === undefined) throw new Error(`unexpected request: ${request.method} ${request.url}`)
    if (next instanceof Error) throw next
    return next instanceof Response ? next : next(request)
  }
  return { client: new Groundwork({ baseUrl: 'http://groundwork.test/', token: 'gw_token', fetch: answer, ...options }), requests }
}

/** Returns a JSON response with request id `req_1`. */
export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'x-request-id': 'req_1', ...headers } })

/** Returns an error response in the API's format. */
export const refused = (status: number, code: string, headers: Record<string, string> = {}, more: object = {}): Response =>
  json({ error: { code, message: `because of ${code}`, requestId: 'req_1', ...more } }, status, headers)

/** Never resolves; like `fetch`, rejects when the request is aborted later. */
export const never = (request: Request): Promise<Response> =>
  new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason as Error)))

/** Returns an event stream for tests: `answer` makes the response, which begins with `first`; `send` adds text; `end` closes it; `fail` breaks it. */
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

/**
 * Gives the SDK a fake clock in every test of a file, and returns its timers that have not fired or been cleared. Other code of the process,
 * such as a connection of another test file, keeps the real `setTimeout`.
 */
export function useFakeTimers(): ReadonlySet<unknown> {
  const pending = new Set<unknown>()
  beforeEach(() => {
    const real = { setTimeout, clearTimeout }
    vi.useFakeTimers()
    pending.clear()
    const fake = { setTimeout, clearTimeout }
    vi.stubGlobal('setTimeout', (act: () => void, ms?: number) => {
      const [, , ...callers] = new Error('callers').stack?.split('\n') ?? []
      if (!callers.some((line) => line.includes('/sdk/'))) return real.setTimeout(act, ms)
      const timer = fake.setTimeout(() => {
        pending.delete(timer)
        act()
      }, ms)
      pending.add(timer)
      return timer
    })
    vi.stubGlobal('clearTimeout', (timer: NodeJS.Timeout | undefined) => {
      const clear = pending.delete(timer) ? fake.clearTimeout : real.clearTimeout
      clear(timer)
    })
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  return pending
}
