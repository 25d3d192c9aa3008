import { AppError, SourceError } from '../lib/errors.ts'
import type { Outbound } from './outbound.ts'

/**
 * Returns the URL in its normalized form. Names are not resolved here: the guard decides about them at every connection.
 * @throws AppError `validation_error`, field `url`, for a URL that outbound requests never reach, such as a private IP address
 */
export function admittedUrl(outbound: Pick<Outbound, 'check'>, url: string): string {
  try {
    return outbound.check(url).href
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    throw new AppError('validation_error', `url cannot be used: ${error.message}`, { field: 'url', cause: error })
  }
}
