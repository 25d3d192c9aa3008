import { AppError } from './errors.ts'

/** The clock of a client may be ahead of this one. */
const toleranceMs = 5 * 60_000

/**
 * Returns the time that a request names in `field`: `now` instead of a later one, which would outrank what is recorded next.
 * @param hint follows the message of the error
 * @throws AppError `validation_error`, field `field`, if it is more than five minutes in the future
 */
export function pastTime(now: Date, time: string, field: string, hint = ''): Date {
  const at = new Date(time)
  if (at.getTime() <= now.getTime() + toleranceMs) return at < now ? at : now
  throw new AppError('validation_error', `${field} is in the future.${hint}`, { field })
}
