import type { Source } from './contract.ts'
import { createWakeableSleep } from './wakeable-sleep.ts'
import { GroundworkError, TimeoutError } from './errors.ts'
import { isTemporary } from './retry.ts'
import type { SourceUpdates } from './source-updates.ts'
import type { RequestOptions } from './transport.ts'

/** The processing of the source failed; `code` is its errorCode. */
export class SourceFailedError extends GroundworkError {
  override readonly name = 'SourceFailedError'
  readonly source: Source

  constructor(source: Source) {
    super(source.error ?? 'the source could not be processed', { code: source.errorCode ?? 'internal' })
    this.source = source
  }
}

export interface WaitOptions {
  /** 10 minutes by default. */
  timeoutMs?: number
  /**
   * Called with every new state of the source, about once a second at most. `progress` has the done and total amounts of the
   * `stage` and the estimated seconds left.
   */
  onProgress?: (source: Source) => void
  signal?: AbortSignal
}

type GetSource = (baseId: string, sourceId: string, options?: RequestOptions) => Promise<Source>

const firstIntervalMs = 200
const maxIntervalMs = 5_000
/** Polling interval for progress within a stage, which has no events. */
const progressIntervalMs = 1_500
/** Polling interval while events arrive. */
const quietIntervalMs = 30_000
const attemptTimeoutMs = 30_000

/** @param get fetches one source */
export function waitUntilProcessed(get: GetSource, updates: SourceUpdates) {
  /**
   * Waits until the source is completed. Uses events if the token can read them, and otherwise polls with growing intervals.
   * Temporary failures of the service do not end the wait.
   * @throws SourceFailedError if processing failed, TimeoutError after `timeoutMs`
   */
  return async (baseId: string, sourceId: string, options: WaitOptions = {}): Promise<Source> => {
    const { timeoutMs = 600_000, onProgress, signal } = options
    const end = Date.now() + timeoutMs
    const sleep = createWakeableSleep()
    const reportState = onlyChanges(onProgress)
    let subscription: ReturnType<SourceUpdates> | undefined
    try {
      for (let intervalMs = firstIntervalMs; ; intervalMs = Math.min(maxIntervalMs, intervalMs * 1.5)) {
        let failure: GroundworkError | undefined
        const source = await get(baseId, sourceId, {
          maxRetries: 0,
          timeoutMs: Math.max(1, Math.min(attemptTimeoutMs, end - Date.now())),
          ...(signal && { signal }),
        }).catch((error: unknown) => {
          if (!isTemporary(error)) throw error
          failure = error
        })
        if (source !== undefined) reportState(source)
        if (source?.status === 'completed') return source
        if (source?.status === 'failed') throw new SourceFailedError(source)
        const restMs = end - Date.now()
        if (restMs <= 0) throw new TimeoutError(`the source was not processed within ${timeoutMs} ms`, { code: 'timeout', cause: failure })
        subscription ??= updates(sourceId, sleep)
        const quietMs = onProgress === undefined ? quietIntervalMs : progressIntervalMs
        const pauseMs = subscription.connected() && failure === undefined ? quietMs : intervalMs
        await sleep.pause(Math.min(restMs, Math.max(failure?.retryAfterMs ?? 0, pauseMs)), signal)
      }
    } finally {
      subscription?.unsubscribe()
    }
  }
}

function onlyChanges(onProgress: ((source: Source) => void) | undefined): (source: Source) => void {
  let seen = ''
  return (source) => {
    const state = JSON.stringify(source)
    if (state !== seen) onProgress?.(source)
    seen = state
  }
}
