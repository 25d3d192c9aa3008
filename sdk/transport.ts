import { ConnectionError, errorFrom, GroundworkError, TimeoutError } from './errors.ts'
import { withRetries } from './retry.ts'

export interface GroundworkOptions {
  /** The URL of the service, such as `https://groundwork.example.com`. */
  baseUrl: string
  /** An API token. Without one, a browser on a page of the service uses the session of the signed-in user. */
  token?: string | undefined
  /** The id of the organization to act for in a session. A token belongs to one organization. */
  organization?: string | undefined
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch
  /** Timeout of one attempt including the response body; 60,000 by default. */
  timeoutMs?: number
  /** Maximum number of retries after a failed connection, 429 or 5xx; 2 by default. */
  maxRetries?: number
}

export interface RequestOptions {
  signal?: AbortSignal
  timeoutMs?: number
  maxRetries?: number
  /** For POST: a repeated key returns the response of the first request. Every call has its own key by default. */
  idempotencyKey?: string
  headers?: Record<string, string>
}

export interface ApiRequest {
  method: string
  path: string
  query?: object | undefined
  body?: unknown
  /** Whether the POST changes nothing, so it needs no Idempotency-Key. */
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

/** Sends the requests of the generated methods. */
export interface Transport {
  /** Sends a request to the API with token or session, timeout and retries. */
  send: (request: ApiRequest, options?: RequestOptions) => Promise<Answer<unknown>>
  /** Sends one attempt of a request to the API. Its response is open until the signal aborts it. */
  open: (request: ApiRequest, given: { signal: AbortSignal; headers: Record<string, string> }) => Promise<Response>
  /**
   * Sends a request to the API and returns the response with its unread body. `timeoutMs` and retries apply until the response
   * begins; `options.signal` can abort the body.
   */
  receive: (request: ApiRequest, options?: RequestOptions) => Promise<Response>
  /** Sends one attempt of a request to any URL, without the token. */
  exchange: (url: string, init: RequestInit, limits: Limits) => Promise<Answer<string>>
  readonly maxRetries: number
}

export function createTransport(client: GroundworkOptions): Transport {
  const request: typeof fetch = client.fetch ?? ((...given) => globalThis.fetch(...given))
  const { timeoutMs = 60_000, maxRetries = 2 } = client
  if (!URL.canParse(client.baseUrl)) throw new TypeError(`baseUrl is not a valid URL: ${client.baseUrl}`)
  const baseUrl = client.baseUrl.replace(/\/+$/, '')
  const credential = credentialOf(client)
  const addressOf = ({ path, query = {} }: ApiRequest): string => `${baseUrl}${path}${queryText(query)}`
  const exchange: Transport['exchange'] = (url, init, limits) => exchangeOnce(request, url, init, limits)
  const open: Transport['open'] = async (apiRequest, { signal, headers }) => {
    const url = addressOf(apiRequest)
    const { method, body } = apiRequest
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const init = { method, headers: { ...credential, ...type, ...headers }, credentials, signal, ...sent }
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
    async receive(apiRequest, options = {}) {
      requireKnown(options)
      const { signal, headers = {}, ...own } = options
      return withRetries(
        () => beginWithin((limit) => open(apiRequest, { signal: limit, headers }), { timeoutMs: own.timeoutMs ?? timeoutMs, signal }),
        { maxRetries: own.maxRetries ?? maxRetries, signal },
      )
    },
    async send(apiRequest: ApiRequest, options: RequestOptions = {}) {
      requireKnown(options)
      const { method, body, reads = false } = apiRequest
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
      const answer = await withRetries(() => exchange(addressOf(apiRequest), init, limits), {
        maxRetries: options.maxRetries ?? maxRetries,
        signal: options.signal,
      })
      return { body: parseBody(answer), headers: answer.headers }
    },
  }
}

const knownOptions: Record<keyof RequestOptions, true> = {
  signal: true,
  timeoutMs: true,
  maxRetries: true,
  idempotencyKey: true,
  headers: true,
}

/**
 * Refuses options that have no effect, such as a field of the body: ignoring `dryRun` would make the change.
 * @throws TypeError that names them
 */
function requireKnown(options: RequestOptions): void {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(knownOptions, name))
  if (unknown.length === 0) return
  throw new TypeError(
    `unknown options: ${unknown.join(', ')}. Options are ${Object.keys(knownOptions).join(', ')}; body and query are arguments before them`,
  )
}

/** Session cookies are only sent to the origin of the page. */
const credentials = 'same-origin' as const

function credentialOf({ token, organization }: GroundworkOptions): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token.trim()}` }
  return organization === undefined ? {} : { 'groundwork-organization': organization }
}

/** Runs `begin` with a timeout. After it has resolved, only the caller's signal aborts the response. */
async function beginWithin<T>(begin: (limit: AbortSignal) => Promise<T>, { timeoutMs, signal }: Limits): Promise<T> {
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
    if (timedOut) throw new TimeoutError(`no response within ${timeoutMs} ms`, { code: 'timeout', requestId: undefined, cause })
    throw cause
  } finally {
    clearTimeout(timer)
  }
}

/** Sends a request and reads the response. An abort by the caller rejects with the caller's reason. */
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
    if (limit.signal.aborted) throw new TimeoutError(`no response within ${timeoutMs} ms`, { code: 'timeout', requestId, cause })
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

/** Returns the parsed body; undefined for an empty one. */
function parseBody({ body, headers }: Answer<string>): unknown {
  try {
    return body === '' ? undefined : (JSON.parse(body) as unknown)
  } catch (cause) {
    const requestId = headers.get('x-request-id') ?? undefined
    throw new GroundworkError('the response is not JSON; check that baseUrl is the URL of Groundwork', {
      code: 'invalid_answer',
      requestId,
      cause,
    })
  }
}

type QueryValue = string | number | boolean | undefined

/** Returns the query string. Lists repeat the name; undefined values are omitted. */
function queryText(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, QueryValue | QueryValue[]]) =>
    [value].flat().flatMap((one): [string, string][] => (one === undefined ? [] : [[name, String(one)]])),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

// crypto.randomUUID is missing on pages served over plain http, as is common in local networks.
const randomKey = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Sends a request and returns the parsed body, trusting the types of the contract. */
export async function call<T>(transport: Transport, request: ApiRequest, options?: RequestOptions): Promise<T> {
  const { body, headers } = await transport.send(request, options)
  const etag = headers.get('etag')
  if (etag !== null && typeof body === 'object' && body !== null) versions.set(body, etag.replace(/^W\//, ''))
  return body as T
}

const versions = new WeakMap<object, string>()

/**
 * Returns the version of a record that the client returned, for `{ headers: { 'If-Match': etagOf(contact) } }`. The change then
 * succeeds only if the record is unchanged, and otherwise throws PreconditionFailedError. The weak mark that compressing
 * proxies add is removed, since a weak tag never matches.
 * @throws TypeError for other objects, including copies
 */
export function etagOf(record: object): string {
  const etag = versions.get(record)
  if (etag === undefined) throw new TypeError('the record was not returned by this client; copies have no version')
  return etag
}

/**
 * Returns an id as a path segment.
 * @throws TypeError for an id that would change the path
 */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError(`${JSON.stringify(id)} is not a valid id`)
  return encodeURIComponent(id)
}
