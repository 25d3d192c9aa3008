const minutes = 60
const hours = 60 * minutes

/** Seconds from a failed attempt to the next one, by the number of failures: three days and three hours in all. */
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

/** Share by which a pause may be shorter or longer, so that what failed together does not come again together. */
const jitter = 0.1
/** What a receiver may ask for at most. */
const longestRetryAfterSeconds = 24 * hours

/** When to try again after so many failures, not before the receiver asks for; null when that was the last attempt. */
export function nextAttempt(failures: number, { now, retryAfter }: { now: Date; retryAfter: Date | null }): Date | null {
  const delaySeconds = retryDelaysSeconds[failures - 1]
  if (delaySeconds === undefined) return null
  const scheduled = now.getTime() + delaySeconds * 1000 * (1 + jitter * (2 * Math.random() - 1))
  const asked = Math.min(retryAfter?.getTime() ?? 0, now.getTime() + longestRetryAfterSeconds * 1000)
  return new Date(Math.max(Math.round(scheduled), asked))
}

/** What a 429 or 503 says in Retry-After, seconds or a date (RFC 9110, section 10.2.3); null when it says nothing. */
export function retryAfterOf(status: number, header: string | undefined, now: Date): Date | null {
  if ((status !== 429 && status !== 503) || header === undefined || header.trim() === '') return null
  const seconds = Number(header)
  const moment = Number.isNaN(seconds) ? Date.parse(header) : now.getTime() + Math.min(seconds, longestRetryAfterSeconds) * 1000
  return Number.isNaN(moment) ? null : new Date(moment)
}
