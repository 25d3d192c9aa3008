import type { Source } from '@groundwork/api'
import { GroundworkError, TimeoutError } from './errors.ts'
import { mayPass, pause } from './retry.ts'
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
  /** Called with every new state of the source that is seen. */
  onProgress?: (source: Source) => void
  signal?: AbortSignal
}

type GetSource = (baseId: string, sourceId: string, options?: RequestOptions) => Promise<Source>

const firstIntervalMs = 200
const longestIntervalMs = 5_000
const attemptTimeoutMs = 30_000

/** @param get fetches one source */
export function waitUntilProcessed(get: GetSource) {
  /**
   * Asks for the source, with growing intervals, until it is completed. A service that does not answer meanwhile is
   * asked again.
   * @throws SourceFailedError when it has failed, TimeoutError after `timeoutMs`
   */
  return async (baseId: string, sourceId: string, options: WaitOptions = {}): Promise<Source> => {
    const { timeoutMs = 600_000, onProgress, signal } = options
    const end = Date.now() + timeoutMs
    let seen = ''
    for (let intervalMs = firstIntervalMs; ; intervalMs = Math.min(longestIntervalMs, intervalMs * 1.5)) {
      let failure: unknown
      const source = await get(baseId, sourceId, {
        maxRetries: 0,
        timeoutMs: Math.max(1, Math.min(attemptTimeoutMs, end - Date.now())),
        ...(signal && { signal }),
      }).catch((error: unknown) => {
        if (!mayPass(error)) throw error
        failure = error
      })
      if (source !== undefined && JSON.stringify(source) !== seen) {
        seen = JSON.stringify(source)
        onProgress?.(source)
      }
      if (source?.status === 'completed') return source
      if (source?.status === 'failed') throw new SourceFailedError(source)
      const restMs = end - Date.now()
      if (restMs <= 0) throw new TimeoutError(`the source was not processed within ${timeoutMs} ms`, { code: 'timeout', cause: failure })
      const askedMs = failure instanceof GroundworkError ? (failure.retryAfterMs ?? 0) : 0
      await pause(Math.min(restMs, Math.max(askedMs, intervalMs)), signal)
    }
  }
}
