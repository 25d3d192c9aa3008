import type { Source } from '@groundwork/api'
import { createWakeableSleep } from './wakeable-sleep.ts'
import { GroundworkError, TimeoutError } from './errors.ts'
import { mayPass } from './retry.ts'
import type { SourceUpdates } from './source-updates.ts'
import type { RequestOptions } from './transport.ts'

/** The source ended as `failed`; `code` is its errorCode. */
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
   * Called with every new state of the source that is seen, at most about once a second: `stage`, and in `progress` what
   * is done of how much, and the seconds that the rest of the stage may take.
   */
  onProgress?: (source: Source) => void
  signal?: AbortSignal
}

type GetSource = (baseId: string, sourceId: string, options?: RequestOptions) => Promise<Source>

const firstIntervalMs = 200
const maxIntervalMs = 5_000
/** Progress within a stage changes without an event. */
const progressIntervalMs = 1_500
/** While events are heard, asking is for what they cannot tell. */
const quietIntervalMs = 30_000
const attemptTimeoutMs = 30_000

/** @param get fetches one source */
export function waitUntilProcessed(get: GetSource, news: SourceUpdates) {
  /**
   * Waits until the source is completed: told by events where the token may read them, and otherwise by asking again, with
   * growing intervals. A service that does not answer meanwhile is waited for.
   * @throws SourceFailedError when it has failed, TimeoutError after `timeoutMs`
   */
  return async (baseId: string, sourceId: string, options: WaitOptions = {}): Promise<Source> => {
    const { timeoutMs = 600_000, onProgress, signal } = options
    const end = Date.now() + timeoutMs
    const bell = createWakeableSleep()
    const tell = onlyNews(onProgress)
    let hearing: ReturnType<SourceUpdates> | undefined
    try {
      for (let intervalMs = firstIntervalMs; ; intervalMs = Math.min(maxIntervalMs, intervalMs * 1.5)) {
        let failure: GroundworkError | undefined
        const source = await get(baseId, sourceId, {
          maxRetries: 0,
          timeoutMs: Math.max(1, Math.min(attemptTimeoutMs, end - Date.now())),
          ...(signal && { signal }),
        }).catch((error: unknown) => {
          if (!mayPass(error)) throw error
          failure = error
        })
        if (source !== undefined) tell(source)
        if (source?.status === 'completed') return source
        if (source?.status === 'failed') throw new SourceFailedError(source)
        const restMs = end - Date.now()
        if (restMs <= 0) throw new TimeoutError(`the source was not processed within ${timeoutMs} ms`, { code: 'timeout', cause: failure })
        hearing ??= news(sourceId, bell)
        const quietMs = onProgress === undefined ? quietIntervalMs : progressIntervalMs
        const pauseMs = hearing.connected() && failure === undefined ? quietMs : intervalMs
        await bell.pause(Math.min(restMs, Math.max(failure?.retryAfterMs ?? 0, pauseMs)), signal)
      }
    } finally {
      hearing?.leave()
    }
  }
}

function onlyNews(onProgress: ((source: Source) => void) | undefined): (source: Source) => void {
  let seen = ''
  return (source) => {
    const state = JSON.stringify(source)
    if (state !== seen) onProgress?.(source)
    seen = state
  }
}
