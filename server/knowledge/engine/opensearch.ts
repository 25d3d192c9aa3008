import { setTimeout as sleep } from 'node:timers/promises'
import type { Outbound } from '../../outbound/outbound.ts'
import type { SearchEngineSettings } from './search-url.ts'

/** The search engine has not answered a request, or has refused it. */
export class EngineUnavailable extends Error {}

export interface EngineRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD'
  readonly path: string
  /** JSON, or lines of JSON if it is a string. */
  readonly body?: object | string
  /** Of each attempt. */
  readonly timeoutMs: number
  /** Statuses beside 2xx that are an answer. */
  readonly accepted?: readonly number[]
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined
}

export interface EngineResponse {
  readonly status: number
  readonly body: unknown
}

/** A client of an OpenSearch cluster. */
export interface OpenSearch {
  /**
   * Sends a request to a node; to each other one if that fails or is overloaded. All requests are idempotent.
   * @throws EngineUnavailable if no node answers, or one refuses the request
   */
  request(request: EngineRequest): Promise<EngineResponse>
}

/** A node that failed is asked again after this time, unless all have failed. */
const restMs = 5_000
/** Statuses of a node that cannot answer now. */
const overloaded = new Set([429, 502, 503, 504])
/** Pause before all nodes are asked once more: a cluster elects a new manager, or copies of a shard, within a moment. */
const pauseMs = 150

/** Returns the client of the nodes of SEARCH_URL. */
export function openSearchClient({ nodes, authorization }: SearchEngineSettings, outbound: Pick<Outbound, 'trustedFetch'>): OpenSearch {
  const clients = nodes.map((url) => ({ url, fetch: outbound.trustedFetch(url), restsUntil: 0 }))
  let next = 0

  /** Nodes in turn; those that rest are last. */
  function inOrder(): typeof clients {
    next = (next + 1) % clients.length
    const turned = [...clients.slice(next), ...clients.slice(0, next)]
    const now = performance.now()
    return turned.toSorted((one, other) => Number(one.restsUntil > now) - Number(other.restsUntil > now))
  }

  return {
    async request({ method, path, body, timeoutMs, accepted = [], signal }) {
      const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
      const headers = { ...(content !== undefined && { 'content-type': type }), ...(authorization !== null && { authorization }) }
      let failure: unknown
      const startedAt = performance.now()
      for (const round of [0, 1]) {
        if (round > 0) await sleep(pauseMs, undefined, { signal })
        for (const client of inOrder()) {
          signal?.throwIfAborted()
          if (performance.now() - startedAt > 2 * timeoutMs) break
          const timeout = AbortSignal.timeout(timeoutMs)
          try {
            const response = await client.fetch(`${client.url}${path}`, {
              method,
              headers,
              ...(content !== undefined && { body: content }),
              signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
            })
            const text = await response.text()
            if (response.ok || accepted.includes(response.status)) {
              client.restsUntil = 0
              return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
            }
            failure = new Error(`The search engine answered ${method} ${path.split('?')[0]} with ${response.status}: ${text.slice(0, 500)}`)
            if (!overloaded.has(response.status)) throw new EngineUnavailable('The search engine refuses a request.', { cause: failure })
          } catch (error) {
            if (error instanceof EngineUnavailable) throw error
            signal?.throwIfAborted()
            failure = error
          }
          client.restsUntil = performance.now() + restMs
        }
      }
      throw new EngineUnavailable('No node of the search engine has answered.', { cause: failure })
    },
  }
}

/** Returns the error of a part of a response, and whether a repeated request may succeed. */
export function engineFailure({ status = 503, error }: { readonly status?: number; readonly error?: unknown }): {
  readonly failure: EngineUnavailable
  readonly isTemporary: boolean
} {
  const detail = error === undefined ? 'a part of the index has no copy that answers' : JSON.stringify(error).slice(0, 500)
  return {
    failure: new EngineUnavailable(`The search engine refuses a search: ${detail}`),
    isTemporary: overloaded.has(status) || error === undefined,
  }
}
