import { PermissionDeniedError } from './errors.ts'
import { follow } from './event-stream.ts'
import type { Transport } from './transport.ts'

/** Somebody who waits for news of one source. */
export interface Listener {
  /** Called when it is time to ask for the source: it has news, or `connected` has changed. */
  ring: () => void
}
export interface Subscription {
  /** Whether news would be heard now. */
  connected: () => boolean
  leave: () => void
}
export type SourceUpdates = (sourceId: string, listener: Listener) => Subscription

const types = ['source.processing', 'source.completed', 'source.failed', 'source.deleted'] as const

/** One stream of events for all who wait through a client, open as long as somebody does. */
export function sourceUpdates(transport: Transport): SourceUpdates {
  const listeners = new Map<Listener, string>()
  let stream: AbortController | undefined
  let connected = false
  let forbidden = false

  const ringAll = (): void => {
    for (const listener of listeners.keys()) listener.ring()
  }
  const listen = async (end: AbortController): Promise<void> => {
    const tell = (now: boolean): void => {
      if (stream !== end) return
      connected = now
      ringAll()
    }
    try {
      for await (const { data } of follow(transport, { types, signal: end.signal }, tell))
        for (const [listener, sourceId] of listeners) if (sourceId === uuidOf(data.id)) listener.ring()
    } catch (error) {
      // Whoever waits asks for the source all the same, and is told what is wrong by that.
      forbidden ||= error instanceof PermissionDeniedError
      tell(false)
      // Who comes next tries again.
      if (stream === end) stream = undefined
    }
  }

  return (sourceId, listener) => {
    listeners.set(listener, uuidOf(sourceId))
    if (stream === undefined && !forbidden) {
      stream = new AbortController()
      void listen(stream)
    }
    // What happened before is seen by asking once more.
    if (connected) listener.ring()
    return {
      connected: () => connected,
      leave() {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stream?.abort()
        stream = undefined
        connected = false
      },
    }
  }
}

/** Ids are taken with their prefix or without. */
const uuidOf = (id: string): string => id.slice(-36).toLowerCase()
