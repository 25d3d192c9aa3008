import { OutboundError } from './error.ts'

/** Runs `work` with a signal that aborts with the caller's signal or after `timeoutMs`, and throws the reason of the abort. */
export async function withDeadline<T>(
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const relay = (): void => controller.abort(signal?.reason)
  const timer = setTimeout(() => {
    controller.abort(new OutboundError('timeout', `No complete reply within ${timeoutMs / 1000} seconds.`, { retryable: true }))
  }, timeoutMs)
  signal?.addEventListener('abort', relay, { once: true })
  try {
    return await work(controller.signal)
  } catch (error) {
    controller.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', relay)
  }
}
