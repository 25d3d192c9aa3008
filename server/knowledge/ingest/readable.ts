import { SourceError } from '../../lib/errors.ts'

/** What is told of a failure: its own words when it was foreseen, else that it is ours and may pass. */
export function readable(error: unknown, during: 'processing' | 'indexing'): SourceError {
  if (error instanceof SourceError) return error
  return new SourceError('internal', `Something went wrong on our side while ${during} this source.`, { retryable: true, cause: error })
}
