import { pause } from '@groundwork/e2e/program'

/** The time of a PostgreSQL restart, on the clock of `Date.now()`. */
export interface Outage {
  readonly from: number
  until: number
}

export interface RetryingClient {
  /**
   * Sends a request until it has an answer below 500, as docs/retries.md describes: to the other program if a connection fails.
   * With a key it is sent as Idempotency-Key.
   */
  send(method: string, path: string, body?: object | string, key?: string): Promise<Answer>
  /** Counts of answers and broken connections, such as `201` or `no answer`. */
  readonly statuses: ReadonlyMap<string, number>
  /** 5xx answers outside of outages, 429 and requests that took longer than the time limit. */
  readonly unexpected: readonly string[]
  /** Milliseconds of the longest request, with its repetitions, outside and within outages. */
  readonly longestMs: { outside: number; outage: number }
}

export interface Answer {
  readonly status: number
  readonly body: string
  /** The header Retry-After; null without one. */
  readonly retryAfter: string | null
}

const timeLimitMs = 60_000
/** 503 of requests that had already begun, or were sent before a program has new sessions. */
const graceMs = 10_000

/** @param urls URLs of programs, any of which can answer a request */
export function retryingClient(urls: readonly string[], token: string, outages: readonly Outage[]): RetryingClient {
  const statuses = new Map<string, number>()
  const unexpected: string[] = []
  const longestMs = { outside: 0, outage: 0 }
  let next = 0
  const overlapsOutage = (from: number, until: number): boolean =>
    outages.some((outage) => from <= outage.until + graceMs && until >= outage.from)
  const count = (status: string): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1)

  const attempt = async (url: string, method: string, path: string, body?: object | string, key?: string): Promise<Answer> => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(typeof body === 'object' && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    try {
      const init = { method, headers, signal: AbortSignal.timeout(timeLimitMs), ...(text !== undefined && { body: text }) }
      const reply = await fetch(url + path, init)
      return { status: reply.status, body: await reply.text(), retryAfter: reply.headers.get('retry-after') }
    } catch (error) {
      // A killed program answers nothing; a program that hangs is a failure.
      const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
      return { status: timedOut ? 599 : 0, body: String(error), retryAfter: null }
    }
  }

  return {
    statuses,
    unexpected,
    longestMs,
    async send(method, path, body, key) {
      const began = Date.now()
      const first = (next += 1)
      for (let round = 0; ; round += 1) {
        const url = urls[(first + round) % urls.length] ?? ''
        const from = Date.now()
        const answer = await attempt(url, method, path, body, key)
        count(answer.status === 0 ? 'no answer' : String(answer.status))
        const within = overlapsOutage(from, Date.now())
        if ((answer.status >= 500 && !within) || answer.status === 429)
          unexpected.push(`${new Date().toISOString()} ${method} ${path}: ${answer.status} ${answer.body.slice(0, 300)}`)
        // The request with this key is still running, or was in a session that the server has not ended yet.
        const isRunning = answer.status === 409 && answer.retryAfter !== null
        if (answer.status > 0 && answer.status < 500 && answer.status !== 429 && !isRunning) {
          const kind = overlapsOutage(began, Date.now()) ? 'outage' : 'outside'
          longestMs[kind] = Math.max(longestMs[kind], Date.now() - began)
          return answer
        }
        await pause(Math.min(1000, 20 * 2 ** round) * (0.5 + Math.random()))
      }
    },
  }
}
