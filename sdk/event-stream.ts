import type { Event } from './contract.ts'
import { ConnectionError, GroundworkError, RateLimitError } from './errors.ts'
import { backoffMs, isTemporary, pause } from './retry.ts'
import { serverSentEvents } from './server-sent-events.ts'
import type { Answer, Transport } from './transport.ts'

export interface StreamOptions<T extends EventType = EventType> {
  /** Only events of these types; all by default. */
  types?: readonly T[]
  /** The id of the event to start after; by default the stream starts with new events. */
  lastEventId?: string
  /** Ends the stream. */
  signal?: AbortSignal
  /** Called when a connection is made and when it is lost. From the first connection on, the stream misses no event. */
  onConnection?: (connected: boolean) => void
}

export type EventType = Event['type']
type Typed<E, T> = E extends { type: infer U } ? (T extends U ? E & { type: T } : never) : never
/** The event of a type: the data of `EventOf<'source.failed'>` is a source. */
export type EventOf<T extends EventType> = Typed<Event, T>

/** The service sends a keep-alive every 15 seconds. */
const maxSilenceMs = 45_000
/** An id below every event id. */
const beforeAll = 'evt_00000000-0000-0000-0000-000000000000'

export function eventStream(transport: Transport) {
  /**
   * Streams events as they happen, each once and in order, from the time that reading begins: `for await (const event of
   * client.events.stream({ types: ['source.failed'] }))`. A connection that is lost, or silent for 45 seconds, is renewed, and
   * the stream continues after the last event; `break` or the signal ends it.
   * @throws AuthenticationError when the token ends; errors of the first connection, after `maxRetries` if temporary
   */
  return <T extends EventType = EventType>(options: StreamOptions<T> = {}): AsyncIterable<EventOf<T>> =>
    follow(transport, options, options.onConnection)
}

/** @param onConnection called when a connection is made and when it is lost; the stream contains all events since its first call */
export async function* follow<T extends EventType>(
  transport: Transport,
  { types, lastEventId, signal }: StreamOptions<T>,
  onConnection: (connected: boolean) => void = () => undefined,
): AsyncGenerator<EventOf<T>, void, void> {
  try {
    let last = lastEventId ?? (await newestEventId(transport, signal))
    let failures = 0
    let maxFailures = transport.maxRetries
    for (;;) {
      let retryAfterMs: number | undefined
      try {
        for await (const item of connection(transport, last, types, signal)) {
          if (signal?.aborted) return
          if (item === 'connected') {
            onConnection(true)
            // From here on the service is known to exist: waits for it without a limit.
            ;[failures, maxFailures] = [0, Infinity]
          } else {
            last = item.id
            yield eventIn<T>(item.data)
          }
        }
      } catch (error) {
        // Too many streams are open: waits for another to end.
        if (!(error instanceof RateLimitError) && (!isTemporary(error) || failures >= maxFailures)) throw error
        retryAfterMs = error.retryAfterMs
      }
      onConnection(false)
      await pause(retryAfterMs ?? backoffMs(failures), signal)
      failures += 1
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/** Determines the start of the stream before its first event: otherwise a connection lost before it would leave a gap. */
async function newestEventId(transport: Transport, signal: AbortSignal | undefined): Promise<string> {
  const request = { method: 'GET', path: '/v1/events', query: { limit: 1 } }
  const { body } = (await transport.send(request, signal && { signal })) as Answer<{ data: Event[] }>
  return body.data[0]?.id ?? beforeAll
}

/** Reads one connection to its end. @throws ConnectionError if it is lost, or silent for too long */
async function* connection(
  transport: Transport,
  lastEventId: string,
  types: readonly string[] | undefined,
  signal: AbortSignal | undefined,
) {
  signal?.throwIfAborted()
  const end = new AbortController()
  const abort = (): void => end.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  try {
    const headers = { accept: 'text/event-stream', 'last-event-id': lastEventId }
    const request = { method: 'GET', path: '/v1/events/stream', query: { type: types } }
    const response = await withinSilence(end, () => transport.open(request, { signal: end.signal, headers }))
    if (!response.headers.get('content-type')?.startsWith('text/event-stream') || response.body === null)
      throw new GroundworkError('the response is not an event stream; check that baseUrl is the URL of Groundwork', {
        code: 'invalid_answer',
      })
    yield 'connected' as const
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    const take = serverSentEvents()
    for (;;) {
      const { done, value } = await withinSilence(end, () => reader.read())
      if (done) return
      yield* take(decoder.decode(value, { stream: true }))
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    end.abort()
  }
}

/** Waits for the service, at most for the permitted silence; time that the reader of the stream takes does not count. */
async function withinSilence<T>(end: AbortController, next: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => end.abort(), maxSilenceMs)
  try {
    return await next()
  } catch (cause) {
    if (cause instanceof GroundworkError && !(cause instanceof ConnectionError)) throw cause
    throw new ConnectionError('the event stream was interrupted', { code: 'connection_failed', cause })
  } finally {
    clearTimeout(timer)
  }
}

/** Trusts the record types of the contract. */
const eventIn = <T extends EventType>(data: string): EventOf<T> => JSON.parse(data) as EventOf<T>
