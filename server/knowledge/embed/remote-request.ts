import { setTimeout as sleep } from 'node:timers/promises'
import { SourceError } from '../../lib/errors.ts'
import { parseJson, jsonPost, endpointError, type Fetch } from '../../outbound/json-endpoint.ts'

export interface JsonRequest {
  readonly fetch: Fetch
  readonly address: string
  readonly apiKey: string | undefined
  readonly body: unknown
  readonly timeoutMs: number
  readonly retries: number
  readonly retryDelayMs: number
  readonly signal: AbortSignal
}

const maxDelayMs = 60_000

/**
 * Posts JSON and reads JSON. Retries after network errors, time-outs, 408, 429 and 5xx with exponential backoff and jitter, or
 * after the time in `Retry-After`.
 * @throws SourceError `embedding_failed`, or the signal's reason
 */
export async function postJson(request: JsonRequest): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await tryOnce(request)
    request.signal.throwIfAborted()
    if ('reply' in outcome) return outcome.reply
    const { error, retryAfterMs = request.retryDelayMs * 2 ** attempt * (0.5 + Math.random() / 2) } = outcome
    if (!error.retryable || attempt >= request.retries || retryAfterMs > maxDelayMs) throw error
    await sleep(retryAfterMs, undefined, { signal: request.signal }).catch(() => request.signal.throwIfAborted())
  }
}

type Outcome = { readonly reply: unknown } | { readonly error: SourceError; readonly retryAfterMs?: number }

async function tryOnce({ fetch, address, apiKey, body, timeoutMs, signal }: JsonRequest): Promise<Outcome> {
  try {
    const response = await fetch(address, {
      ...jsonPost(body, apiKey),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const text = await response.text()
    if (response.ok) return { reply: parseJson(text) }
    return { error: refused(response.status, text, apiKey), ...retryAfter(response.headers.get('retry-after')) }
  } catch (cause) {
    if (cause instanceof SourceError && !cause.retryable) return { error: failed('cannot be reached', false, cause) }
    const late = cause instanceof Error && cause.name === 'TimeoutError'
    return { error: failed(late ? `gave no answer in ${timeoutMs} ms` : 'cannot be reached', true, cause) }
  }
}

function refused(status: number, text: string, apiKey: string | undefined): SourceError {
  return failed(`answered ${status}`, status === 408 || status === 429 || status >= 500, endpointError(status, text, apiKey))
}

function retryAfter(header: string | null): { retryAfterMs?: number } {
  if (header === null) return {}
  const wait = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(wait) ? {} : { retryAfterMs: Math.max(0, wait) }
}

function failed(what: string, retryable: boolean, cause: unknown): SourceError {
  return new SourceError('embedding_failed', `The embedding endpoint ${what}`, { retryable, cause })
}
