import { ConnectionError, errorFrom, GroundworkError, TimeoutError } from './errors.ts'
import { withRetries } from './retry.ts'

export interface GroundworkOptions {
  /** Where the service answers, such as `https://groundwork.example.com`. */
  baseUrl: string
  /** An API token. Without one, in a browser on a page of the service, the session of whoever is signed in there is used. */
  token?: string | undefined
  /** The id of the organization that a session acts for; a token belongs to one by itself. */
  organization?: string | undefined
  /** Used in place of the global `fetch`. */
  fetch?: typeof fetch
  /** Limit of one attempt, answer included; 60,000 by default. */
  timeoutMs?: number
  /** Further attempts after a failed connection, 429 or 5xx; 2 by default. */
  maxRetries?: number
}

export interface RequestOptions {
  signal?: AbortSignal
  timeoutMs?: number
  maxRetries?: number
  /** Of a POST: the same key again answers what the first request answered. Every call has one of its own by default. */
  idempotencyKey?: string
  headers?: Record<string, string>
}

export interface ApiRequest {
  method: string
  path: string
  query?: object | undefined
  body?: unknown
  /** A POST that changes nothing needs no Idempotency-Key, and its answer need not be kept. */
  reads?: boolean
}

export interface Answer<T> {
  body: T
  headers: Headers
}

interface Limits {
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** What the generated methods send their requests through. */
export interface Transport {
  /** A request to the API, with the token or the session, the client's limits, and retries. */
  send: (request: ApiRequest, options?: RequestOptions) => Promise<Answer<unknown>>
  /** One attempt of a request to the API whose answer goes on, until the signal ends it. */
  open: (request: ApiRequest, given: { signal: AbortSignal; headers: Record<string, string> }) => Promise<Response>
  /**
   * A request to the API whose answer is a file. `timeoutMs` and retries are for its beginning; the body is the caller's
   * to read, as long as `options.signal` lets it.
   */
  receive: (request: ApiRequest, options?: RequestOptions) => Promise<Response>
  /** One attempt of a request to any address, without the token. */
  exchange: (url: string, init: RequestInit, limits: Limits) => Promise<Answer<string>>
  readonly maxRetries: number
}

export function createTransport(client: GroundworkOptions): Transport {
  const request: typeof fetch = client.fetch ?? ((...given) => globalThis.fetch(...given))
  const { timeoutMs = 60_000, maxRetries = 2 } = client
  if (!URL.canParse(client.baseUrl)) throw new TypeError(`baseUrl is not an address: ${client.baseUrl}`)
  const baseUrl = client.baseUrl.replace(/\/+$/, '')
  const credential = credentialOf(client)
  const addressOf = ({ path, query = {} }: ApiRequest): string => `${baseUrl}${path}${queryText(query)}`
  const exchange: Transport['exchange'] = (url, init, limits) => exchangeOnce(request, url, init, limits)
  const open: Transport['open'] = async (asked, { signal, headers }) => {
    const url = addressOf(asked)
    const init = { method: asked.method, headers: { ...credential, ...headers }, credentials, signal }
    const response = await request(url, init).catch((cause: unknown) => {
      throw connectionFailed(url, cause)
    })
    if (response.ok || response.status === 304) return response
    throw errorFrom(response, await response.text().catch(() => ''))
  }
  return {
    maxRetries,
    exchange,
    open,
    receive: (asked, { signal, headers = {}, ...own } = {}) =>
      withRetries(() => begun((limit) => open(asked, { signal: limit, headers }), { timeoutMs: own.timeoutMs ?? timeoutMs, signal }), {
        maxRetries: own.maxRetries ?? maxRetries,
        signal,
      }),
    async send(asked: ApiRequest, options: RequestOptions = {}) {
      const { method, body, reads = false } = asked
      const init: RequestInit = {
        method,
        credentials,
        headers: {
          accept: 'application/json',
          ...credential,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(method === 'POST' && !reads && { 'idempotency-key': options.idempotencyKey ?? randomKey() }),
          ...options.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }
      const limits = { timeoutMs: options.timeoutMs ?? timeoutMs, signal: options.signal }
      const answer = await withRetries(() => exchange(addressOf(asked), init, limits), {
        maxRetries: options.maxRetries ?? maxRetries,
        signal: options.signal,
      })
      return { body: parsed(answer), headers: answer.headers }
    },
  }
}

/** The cookie of a session goes to the page's own service and to nowhere else. */
const credentials = 'same-origin' as const

function credentialOf({ token, organization }: GroundworkOptions): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token.trim()}` }
  return organization === undefined ? {} : { 'groundwork-organization': organization }
}

/** What is begun within the time limit; from then on only the caller's signal ends it. */
async function begun<T>(begin: (limit: AbortSignal) => Promise<T>, { timeoutMs, signal }: Limits): Promise<T> {
  signal?.throwIfAborted()
  const limit = new AbortController()
  let timedOut = false
  signal?.addEventListener('abort', () => limit.abort(signal.reason), { once: true })
  const timer = setTimeout(() => {
    timedOut = true
    limit.abort()
  }, timeoutMs)
  try {
    return await begin(limit.signal)
  } catch (cause) {
    signal?.throwIfAborted()
    if (timedOut) throw new TimeoutError(`no answer within ${timeoutMs} ms`, { code: 'timeout', requestId: undefined, cause })
    throw cause
  } finally {
    clearTimeout(timer)
  }
}

/** Only a refusal, a failed connection or a time limit are errors of ours; who aborts gets his own reason back. */
async function exchangeOnce(request: typeof fetch, url: string, init: RequestInit, { timeoutMs, signal }: Limits): Promise<Answer<string>> {
  signal?.throwIfAborted()
  const limit = new AbortController()
  const abort = (): void => limit.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  let response: Response | undefined
  let text: string
  try {
    response = await request(url, { ...init, signal: limit.signal })
    text = await response.text()
  } catch (cause) {
    signal?.throwIfAborted()
    const requestId = response?.headers.get('x-request-id') ?? undefined
    if (limit.signal.aborted) throw new TimeoutError(`no answer within ${timeoutMs} ms`, { code: 'timeout', requestId, cause })
    throw connectionFailed(url, cause, requestId)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  if (!response.ok) throw errorFrom(response, text)
  return { body: text, headers: response.headers }
}

export const connectionFailed = (url: string, cause: unknown, requestId?: string): ConnectionError =>
  new ConnectionError(`the connection to ${new URL(url).origin} failed`, { code: 'connection_failed', requestId, cause })

/** An empty answer is undefined. */
function parsed({ body, headers }: Answer<string>): unknown {
  try {
    return body === '' ? undefined : (JSON.parse(body) as unknown)
  } catch (cause) {
    const requestId = headers.get('x-request-id') ?? undefined
    throw new GroundworkError('the answer is not JSON: is baseUrl the address of Groundwork?', { code: 'invalid_answer', requestId, cause })
  }
}

type QueryValue = string | number | boolean | undefined

/** A list repeats its name; what is undefined is left out. */
function queryText(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, QueryValue | QueryValue[]]) =>
    [value].flat().flatMap((one): [string, string][] => (one === undefined ? [] : [[name, String(one)]])),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

// crypto.randomUUID is missing on pages served over plain http, which a service in a local network often is.
const randomKey = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** The parsed answer alone. What the contract says of the answer of the route is taken as true. */
export async function call<T>(transport: Transport, request: ApiRequest, options?: RequestOptions): Promise<T> {
  const { body, headers } = await transport.send(request, options)
  const etag = headers.get('etag')
  if (etag !== null && typeof body === 'object' && body !== null) versions.set(body, etag.replace(/^W\//, ''))
  return body as T
}

const versions = new WeakMap<object, string>()

/**
 * The version of a record that a method of the client gave, for `{ headers: { 'If-Match': etagOf(contact) } }`: the change
 * is made only if nobody else made one meanwhile, else it is a PreconditionFailedError. A proxy that compresses marks the
 * tag as weak, which would match nothing, so the mark is left out.
 * @throws TypeError for what is no such record, a copy of one also
 */
export function etagOf(record: object): string {
  const etag = versions.get(record)
  if (etag === undefined) throw new TypeError('this is no record as the client gave it')
  return etag
}

/** An id as a part of a path. What would make it another path is refused before it is sent. */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError(`${JSON.stringify(id)} is not an id`)
  return encodeURIComponent(id)
}
