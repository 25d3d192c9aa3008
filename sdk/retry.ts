import { ConnectionError, GroundworkError } from './errors.ts'

const firstDelayMs = 500
const maxDelayMs = 8_000
/** A longer Retry-After becomes an error instead of a call that hangs. */
const maxRetryAfterMs = 60_000

/** Runs `attempt`, and retries temporary failures up to `maxRetries` times, with exponential backoff or after Retry-After. */
export async function withRetries<T>(
  attempt: (retry: number) => Promise<T>,
  { maxRetries, signal }: { maxRetries: number; signal?: AbortSignal | undefined },
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt(retry)
    } catch (error) {
      if (retry >= maxRetries || !isTemporary(error)) throw error
      await pause(error.retryAfterMs ?? backoffMs(retry), signal)
    }
  }
}

/** Returns whether an error is temporary: no response, too many requests, a server error, or a conflict with Retry-After. */
export function isTemporary(error: unknown): error is GroundworkError {
  if (!(error instanceof GroundworkError) || (error.retryAfterMs ?? 0) > maxRetryAfterMs) return false
  if (error instanceof ConnectionError) return true
  const { status = 0 } = error
  return status === 429 || status >= 500 || (status === 409 && error.retryAfterMs !== undefined)
}

/** Returns an exponential delay minus up to a quarter of jitter, so that clients that failed together do not retry together. */
export const backoffMs = (retry: number): number => Math.min(maxDelayMs, firstDelayMs * 2 ** retry) * (1 - Math.random() / 4)

/** @throws the reason of the signal, at once if it is already aborted */
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
