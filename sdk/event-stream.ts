import type { EventType, GroundworkApi, Received } from '@groundwork/api'
import { ConnectionError, GroundworkError, RateLimitError } from './errors.ts'
import { backoffMs, mayPass, pause } from './retry.ts'
import { serverSentEvents } from './server-sent-events.ts'
import type { Answer, Transport } from './transport.ts'

export interface StreamOptions<T extends EventType = EventType> {
  /** Events of these types only; all by default. */
  types?: readonly T[]
  /** The id of an event behind which to begin; by default the stream begins with what happens from now on. */
  lastEventId?: string
  /** Ends the stream. */
  signal?: AbortSignal
  /** Hears when a connection is made and when it is lost; from the first one on, nothing that happens is missing. */
  onConnection?: (connected: boolean) => void
}

type Event = Received<GroundworkApi['events']['stream']>
type Typed<E, T> = E extends { type: infer U } ? (T extends U ? E & { type: T } : never) : never
/** The event of a type: `EventOf<'source.failed'>['data']` is a source. */
export type EventOf<T extends EventType> = Typed<Event, T>

/** The service says every 15 seconds that it lives. */
const longestSilenceMs = 45_000
/** What no event is called: behind it comes every event that there is. */
const beforeAll = 'evt_00000000-0000-0000-0000-000000000000'

export function eventStream(transport: Transport) {
  /**
   * Events as they happen, each once and in order, from the moment that reading begins: `for await (const event of
   * client.events.stream({ types: ['source.failed'] }))`. A connection that is lost, or silent for 45 seconds, is made
   * anew, and the stream goes on behind the last event; `break` or the signal ends it.
   * @throws AuthenticationError when the token ends; what refuses the first connection, after `maxRetries` where it may pass
   */
  return <T extends EventType = EventType>(options: StreamOptions<T> = {}): AsyncIterable<EventOf<T>> =>
    follow(transport, options, options.onConnection)
}

/** @param told hears when a connection is made and when it is lost; what happens from its first call on is in the stream */
export async function* follow<T extends EventType>(
  transport: Transport,
  { types, lastEventId, signal }: StreamOptions<T>,
  told: (connected: boolean) => void = () => undefined,
): AsyncGenerator<EventOf<T>, void, void> {
  try {
    let last = lastEventId ?? (await newestEventId(transport, signal))
    let failures = 0
    let maxFailures = transport.maxRetries
    for (;;) {
      let askedMs: number | undefined
      try {
        for await (const news of connection(transport, last, types, signal)) {
          if (signal?.aborted) return
          if (news === 'connected') {
            told(true)
            // From here on the service is known to be there, so it is waited for.
            ;[failures, maxFailures] = [0, Infinity]
          } else {
            last = news.id
            yield eventIn<T>(news.data)
          }
        }
      } catch (error) {
        // Too many streams are open: one of them ends some time.
        if (!(error instanceof RateLimitError) && (!mayPass(error) || failures >= maxFailures)) throw error
        askedMs = error.retryAfterMs
      }
      told(false)
      await pause(askedMs ?? backoffMs(failures), signal)
      failures += 1
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/** Where a stream begins must be known before its first event, or a connection lost until then would leave a gap. */
async function newestEventId(transport: Transport, signal: AbortSignal | undefined): Promise<string> {
  const request = { method: 'GET', path: '/v1/events', query: { limit: 1 } }
  const { body } = (await transport.send(request, signal && { signal })) as Answer<{ data: Event[] }>
  return body.data[0]?.id ?? beforeAll
}

/** One connection, to its end. @throws ConnectionError when it breaks, or is silent for too long */
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
      throw new GroundworkError('the answer is not a stream of events: is baseUrl the address of Groundwork?', { code: 'invalid_answer' })
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

/** Waits for the other side, no longer than it may be silent; time that the reader of the stream takes does not count. */
async function withinSilence<T>(end: AbortController, next: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => end.abort(), longestSilenceMs)
  try {
    return await next()
  } catch (cause) {
    if (cause instanceof GroundworkError && !(cause instanceof ConnectionError)) throw cause
    throw new ConnectionError('the stream of events was interrupted', { code: 'connection_failed', cause })
  } finally {
    clearTimeout(timer)
  }
}

/** What the contract says of the records of the stream is taken as true. */
const eventIn = <T extends EventType>(data: string): EventOf<T> => JSON.parse(data) as EventOf<T>
