import {
  AuthenticationError,
  ConnectionError,
  GroundworkError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
} from '@groundwork/sdk'

/** The arguments are invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const exitCodes = { failed: 1, usage: 2, unreachable: 3, notAllowed: 4, interrupted: 130 } as const

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage
  if (error instanceof ConnectionError) return exitCodes.unreachable
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) return exitCodes.notAllowed
  return exitCodes.failed
}

/**
 * Returns one line: the error, its remedy, and the request id for the log.
 * @param lookup the command that finds ids, such as `contacts find`
 */
export function failureText(error: unknown, lookup?: string): string {
  const message = error instanceof Error ? error.message : String(error)
  const requestId = error instanceof GroundworkError && error.requestId !== undefined ? ` (${error.requestId})` : ''
  const advice = adviceOn(error, lookup)
  return `${message}${advice === undefined ? '' : `; ${advice}`}${requestId}`.replaceAll(/\s*\n\s*/g, ' ')
}

function adviceOn(error: unknown, lookup: string | undefined): string | undefined {
  if (error instanceof ConnectionError) return 'check that Groundwork is running, and set its URL with GROUNDWORK_URL or --url'
  if (error instanceof AuthenticationError) return 'set GROUNDWORK_TOKEN to a valid token'
  if (error instanceof PermissionDeniedError) return 'use a token with the required scope'
  if (error instanceof NotFoundError) return lookup === undefined ? 'check the id' : `find its id with "${lookup}"`
  if (error instanceof RateLimitError) return 'try again later'
  if (error instanceof ServerError) return 'the log of Groundwork has the cause'
  return undefined
}

/** Returns the error as JSON, in the form of the API's errors. */
export function failureRecord(error: unknown): object {
  const { code, field, requestId } =
    error instanceof GroundworkError ? error : ({ code: error instanceof UsageError ? 'usage' : 'failed' } as Partial<GroundworkError>)
  return { error: { code, message: error instanceof Error ? error.message : String(error), field, requestId } }
}
