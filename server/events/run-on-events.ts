import { setTimeout as sleep } from 'node:timers/promises'
import type { CoreServices } from '../context.ts'
import type { LoopHealth } from '../lib/loop-health.ts'

interface RunOptions {
  readonly health: LoopHealth
  /** Interval without events, for lost notifications. */
  readonly pollMs: number
  /** Minimum interval: in busy times each run finds more. */
  readonly gapMs: number
}

/** Calls `run` after the events of all organizations, one call after the other, until it is stopped. Failures count in `health`. */
export function runOnEvents(
  services: CoreServices,
  run: (signal: AbortSignal) => Promise<void>,
  { health, pollMs, gapMs }: RunOptions,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const loop = async (): Promise<void> => {
    const follower = await services.events.followAll(stopping.signal)
    while (!stopping.signal.aborted) {
      await run(stopping.signal).then(health.succeeded, health.failed)
      await sleep(gapMs)
      if (!stopping.signal.aborted) await follower.waitForEvents(pollMs)
    }
  }
  const ended = loop()
  return {
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
