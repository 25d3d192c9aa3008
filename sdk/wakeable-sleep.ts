import { pause } from './retry.ts'

/** A sleep that a notification ends early. A notification between two sleeps ends the next one at once. */
export interface WakeableSleep {
  notify: () => void
  /** @throws the reason of the signal, at once if it is already aborted */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>
}

export function createWakeableSleep(): WakeableSleep {
  let rung = false
  let wake: () => void = () => undefined
  return {
    notify() {
      rung = true
      wake()
    },
    async pause(ms, signal) {
      signal?.throwIfAborted()
      const end = new AbortController()
      const abort = (): void => end.abort()
      signal?.addEventListener('abort', abort)
      wake = abort
      if (rung) end.abort()
      await pause(ms, end.signal).catch(() => undefined)
      signal?.removeEventListener('abort', abort)
      wake = () => undefined
      rung = false
      signal?.throwIfAborted()
    },
  }
}
