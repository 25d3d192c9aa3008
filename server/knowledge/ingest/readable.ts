import { SourceError } from '../../lib/errors.ts'

/** Returns the message of a failure: its own if it was expected, else that the error is internal and may be temporary. */
export function readable(error: unknown, during: 'processing' | 'indexing'): SourceError {
  if (error instanceof SourceError) return error
  return new SourceError('internal', `Something went wrong on our side while ${during} this source.`, { retryable: true, cause: error })
}
