const minutes = 60
const hours = 60 * minutes

/** Delays after failed attempts in seconds, by the number of failures: three days and three hours in all. */
export const retryDelaysSeconds: readonly number[] = [
  5,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
]

/** Relative jitter of a delay, so that deliveries that failed together do not retry together. */
const jitter = 0.1
/** Maximum Retry-After. */
const maxRetryAfterSeconds = 24 * hours

/** Returns the time of the next attempt, not before the receiver asks for it; null after the last one. */
export function nextAttempt(failures: number, { now, retryAfter }: { now: Date; retryAfter: Date | null }): Date | null {
  const delaySeconds = retryDelaysSeconds[failures - 1]
  if (delaySeconds === undefined) return null
  const scheduled = now.getTime() + delaySeconds * 1000 * (1 + jitter * (2 * Math.random() - 1))
  const requested = Math.min(retryAfter?.getTime() ?? 0, now.getTime() + maxRetryAfterSeconds * 1000)
  return new Date(Math.max(Math.round(scheduled), requested))
}

/** Parses Retry-After of a 429 or 503, seconds or a date (RFC 9110, section 10.2.3); null if absent. */
export function retryAfterOf(status: number, header: string | undefined, now: Date): Date | null {
  if ((status !== 429 && status !== 503) || header === undefined || header.trim() === '') return null
  const seconds = Number(header)
  const moment = Number.isNaN(seconds) ? Date.parse(header) : now.getTime() + Math.min(seconds, maxRetryAfterSeconds) * 1000
  return Number.isNaN(moment) ? null : new Date(moment)
}
