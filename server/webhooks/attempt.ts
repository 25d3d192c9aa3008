import { SourceError } from '../lib/errors.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { signatureHeaders } from './secret.ts'

const timeoutMs = 15_000
const keptBodyBytes = 8192
/** In characters. Headers from the first that does not fit are left out. */
const keptHeadersLength = 8192
/** Cookies of the receiver are not stored. */
const omittedHeaders = new Set(['set-cookie', 'set-cookie2'])

/** A request to an endpoint. */
export interface Request {
  readonly url: string
  /** The event id, the same at every attempt. */
  readonly eventId: string
  readonly body: string
  /** Null if they cannot be decrypted. */
  readonly secrets: readonly string[] | null
}

/** The outcome of an attempt, for the delivery log. */
export interface Attempt {
  readonly at: Date
  readonly durationMs: number
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  /** Null if no response was received; `error` has the reason. The body is cut at 8 KB. */
  readonly response: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string } | null
  readonly error: string | null
}

/**
 * Sends the request without following redirects and waits up to 15 seconds for the response. Returns every response and every
 * failure of the request as an outcome.
 * @throws the reason of `signal` after an abort
 */
export async function attempt(outbound: Outbound, request: Request, at: Date, signal: AbortSignal): Promise<Attempt> {
  const { url, eventId, body, secrets } = request
  // The signature is sent but not stored.
  const { 'webhook-signature': signature, ...logged } = {
    'content-type': 'application/json',
    ...signatureHeaders(secrets ?? [], { id: eventId, at, body }),
  }
  const startedAt = performance.now()
  const done = (outcome: Pick<Attempt, 'response' | 'error'>): Attempt => ({
    at,
    durationMs: Math.round(performance.now() - startedAt),
    url,
    requestHeaders: logged,
    ...outcome,
  })
  if (secrets === null)
    return done({ response: null, error: 'The signing secret cannot be decrypted with this SECRET_KEY: rotate the signing secret.' })
  try {
    const reply = await outbound.fetch(url, {
      method: 'POST',
      headers: { ...logged, 'webhook-signature': signature },
      body,
      maxBytes: keptBodyBytes,
      overflow: 'cut',
      timeoutMs,
      maxRedirects: 0,
      signal,
    })
    const response = { status: reply.status, headers: keptHeaders(reply.headers), body: storable(new TextDecoder().decode(reply.body)) }
    return done({ response, error: null })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof SourceError)) throw error
    return done({ response: null, error: storable(error.message) })
  }
}

function keptHeaders(headers: Headers): Record<string, string> {
  let left = keptHeadersLength
  const fits = ([name, value]: [string, string]): boolean => {
    left -= name.length + value.length
    return left >= 0
  }
  const kept = [...headers].filter(([name]) => !omittedHeaders.has(name)).map(([name, value]): [string, string] => [name, storable(value)])
  return Object.fromEntries(kept.filter(fits))
}

/** Replaces NUL, which the database cannot store. */
const storable = (text: string): string => text.replaceAll('\u0000', '\uFFFD')
