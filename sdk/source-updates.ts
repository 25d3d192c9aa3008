import { PermissionDeniedError } from './errors.ts'
import { follow } from './event-stream.ts'
import type { Transport } from './transport.ts'

/** A subscriber to updates of one source. */
export interface Listener {
  /** Called when the source should be fetched: it has changed, or `connected` has. */
  notify: () => void
}
export interface Subscription {
  /** Whether updates arrive at present. */
  connected: () => boolean
  unsubscribe: () => void
}
export type SourceUpdates = (sourceId: string, listener: Listener) => Subscription

const types = ['source.processing', 'source.completed', 'source.failed', 'source.deleted'] as const

/**
 * Returns a function that subscribes to updates of a source. All subscriptions of a client share one event stream, which is
 * open while there are any.
 */
export function sourceUpdates(transport: Transport): SourceUpdates {
  const listeners = new Map<Listener, string>()
  let stream: AbortController | undefined
  let connected = false
  let forbidden = false

  const notifyAll = (): void => {
    for (const listener of listeners.keys()) listener.notify()
  }
  const listen = async (end: AbortController): Promise<void> => {
    const setConnected = (now: boolean): void => {
      if (stream !== end) return
      connected = now
      notifyAll()
    }
    try {
      for await (const { data } of follow(transport, { types, signal: end.signal }, setConnected))
        for (const [listener, sourceId] of listeners) if (sourceId === uuidOf(data.id)) listener.notify()
    } catch (error) {
      // Subscribers fetch the source in any case and get the error from that request.
      forbidden ||= error instanceof PermissionDeniedError
      setConnected(false)
      // The next subscription opens a new stream.
      if (stream === end) stream = undefined
    }
  }

  return (sourceId, listener) => {
    listeners.set(listener, uuidOf(sourceId))
    if (stream === undefined && !forbidden) {
      stream = new AbortController()
      void listen(stream)
    }
    // Changes before the subscription are noticed by fetching once more.
    if (connected) listener.notify()
    return {
      connected: () => connected,
      unsubscribe() {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stream?.abort()
        stream = undefined
        connected = false
      },
    }
  }
}

/** Accepts ids with and without prefix. */
const uuidOf = (id: string): string => id.slice(-36).toLowerCase()
