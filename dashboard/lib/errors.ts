import { AuthenticationError, ConnectionError, GroundworkError, RateLimitError, ServerError, TimeoutError } from '@groundwork/sdk'
import { sharedMessages } from '../messages/shared.ts'
import { messagesOf } from '../messages/messages.ts'

/** An error whose message is written for users. Messages of other errors, as those of the API, are never shown. */
export class ShownError extends Error {
  /** The API path of the field that the message is about, if it is about one. */
  readonly field: string | undefined

  constructor(message: string, { cause, field }: { cause?: unknown; field?: string } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.field = field
  }
}

/** Messages by error code of the API, or by code and field such as `conflict.expiresAt`, for an action whose refusals have a known reason. */
export type Refusals = Readonly<Record<string, string>>

/** Returns the error with the message that `refusals` has for its code and field, or for its code, or else the error itself. */
export function worded<E>(error: E, refusals: Refusals): E | ShownError {
  const message = error instanceof GroundworkError ? (refusals[`${error.code}.${error.field}`] ?? refusals[error.code]) : undefined
  return message === undefined ? error : new ShownError(message, { cause: error })
}

/** Returns an error message for users, by the code of the error. */
export function messageOf(error: unknown): string {
  const { errors } = messagesOf(sharedMessages)
  if (error instanceof ShownError) return error.message
  if (error instanceof TimeoutError) return errors.timeout
  if (error instanceof ConnectionError) return errors.connection
  if (!(error instanceof GroundworkError)) return errors.unexpected
  const messages: Refusals = errors.codes
  return messages[error.code] ?? (error instanceof ServerError ? errors.server : errors.other)
}

/** Returns the id of the failed request in the server log. */
export const requestIdOf = (error: unknown): string | undefined => {
  if (error instanceof ShownError) return requestIdOf(error.cause)
  return error instanceof GroundworkError ? error.requestId : undefined
}

/** Returns whether the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof AuthenticationError

/** Returns whether the same request may succeed later: there was no response, or the server is busy or failing. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof RateLimitError || error instanceof ServerError
