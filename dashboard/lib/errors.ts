import {
  AuthenticationError,
  ConnectionError,
  GroundworkError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '@groundwork/sdk'
import { sharedMessages } from '../messages/shared.ts'
import { messagesOf } from '../messages/messages.ts'

/** Returns an error message for users. Validation messages of the API are shown as they are. */
export function messageOf(error: unknown): string {
  const words = messagesOf(sharedMessages)
  if (error instanceof TimeoutError) return words.errors.timeout
  if (error instanceof ConnectionError) return words.errors.connection
  if (error instanceof PermissionDeniedError) return words.errors.forbidden
  if (error instanceof NotFoundError) return words.errors.notFound
  if (error instanceof RateLimitError) return words.errors.rateLimited
  if (error instanceof ServerError) return words.errors.server
  return error instanceof Error ? asSentence(error.message) : words.failed
}

/** Returns whether `messageOf` has a message of the dashboard for the error, rather than that of the API. */
export const hasOwnMessage = (error: unknown): boolean =>
  [ConnectionError, PermissionDeniedError, NotFoundError, RateLimitError, ServerError].some((kind) => error instanceof kind)

/** Capitalizes the first letter. API messages can start with a field name: `name must not be empty`. */
const asSentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}`

/** Returns the id of the failed request in the server log. */
export const requestIdOf = (error: unknown): string | undefined => (error instanceof GroundworkError ? error.requestId : undefined)

/** Leaves out the field name, which the label says already, and words the messages of empty fields. */
function fieldMessageOf({ field, message }: { field: string; message: string }): string {
  const { required, chooseOne } = messagesOf(sharedMessages).errors
  const predicate = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  if (predicate === 'is required' || predicate === 'must not be empty') return required
  return predicate === 'must have at least 1 item' ? chooseOne : asSentence(predicate)
}

/** Returns the error message of each field by its API path, such as `ragSettings.chunkSize`. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof GroundworkError)) return {}
  const messages = Object.fromEntries(error.issues.map((issue) => [issue.field, fieldMessageOf(issue)]))
  const { field, message } = error
  return field === undefined || field in messages ? messages : { ...messages, [field]: fieldMessageOf({ field, message }) }
}

/** Returns whether the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof AuthenticationError

/** Returns whether the same request may succeed later: there was no response, or the server is busy or failing. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof RateLimitError || error instanceof ServerError
