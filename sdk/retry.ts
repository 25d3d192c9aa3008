import { ConnectionError, GroundworkError } from './errors.ts'

const firstDelayMs = 500
const longestDelayMs = 8_000
/** Who asks for more patience than this is told so by the error instead of by a call that hangs. */
const longestRetryAfterMs = 60_000

/**
 * Runs `attempt`, and again up to `maxRetries` times after a failure that may pass, with growing pauses or as long as
 * Retry-After asks for.
 */
export async function withRetries<T>(
  attempt: (retry: number) => Promise<T>,
  { maxRetries, signal }: { maxRetries: number; signal?: AbortSignal | undefined },
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt(retry)
    } catch (error) {
      if (retry >= maxRetries || !mayPass(error)) throw error
      await pause(error.retryAfterMs ?? backoffMs(retry), signal)
    }
  }
}

/** No answer, too many requests, a failing server; and a conflict that says when to come again. */
export function mayPass(error: unknown): error is GroundworkError {
  if (!(error instanceof GroundworkError) || (error.retryAfterMs ?? 0) > longestRetryAfterMs) return false
  if (error instanceof ConnectionError) return true
  const { status = 0 } = error
  return status === 429 || status >= 500 || (status === 409 && error.retryAfterMs !== undefined)
}

/** Exponential, less up to a quarter at random, so that clients that failed together do not come back together. */
export const backoffMs = (retry: number): number => Math.min(longestDelayMs, firstDelayMs * 2 ** retry) * (1 - Math.random() / 4)

/** @throws the reason of the signal, at once when it is aborted */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(reasonOf(signal))
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    const abort = (): void => {
      end()
      reject(reasonOf(signal))
    }
    const timer = setTimeout(() => {
      end()
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort)
  })
}

const reasonOf = (signal: AbortSignal | undefined): Error => signal?.reason as Error
