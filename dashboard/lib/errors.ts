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
import { sharedWords } from '../words/shared.ts'
import { wordsOf } from '../words/words.ts'

/** Returns an error message for users. Validation messages of the API are shown as they are. */
export function messageOf(error: unknown): string {
  const words = wordsOf(sharedWords)
  if (error instanceof TimeoutError) return words.errors.timeout
  if (error instanceof ConnectionError) return words.errors.connection
  if (error instanceof PermissionDeniedError) return words.errors.forbidden
  if (error instanceof NotFoundError) return words.errors.notFound
  if (error instanceof RateLimitError) return words.errors.rateLimited
  if (error instanceof ServerError) return words.errors.server
  return error instanceof Error ? asSentence(error.message) : words.failed
}

/** Capitalizes the first letter. API messages can start with a field name: `name: must not be empty`. */
const asSentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}`

/** Returns the id of the failed request in the server log. */
export const requestIdOf = (error: unknown): string | undefined => (error instanceof GroundworkError ? error.requestId : undefined)

/** Replaces the minimum-length messages of the API for empty fields. */
function fieldMessageOf(message: string): string {
  const { required, chooseOne } = wordsOf(sharedWords).errors
  if (message.includes('expected string to have >=1 char')) return required
  return message.includes('expected array to have >=1 item') ? chooseOne : asSentence(message)
}

/** Returns the error message of each field by its API path, such as `ragSettings.chunkSize`. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof GroundworkError)) return {}
  const messages = Object.fromEntries(error.issues.map(({ field, message }) => [field, fieldMessageOf(message)]))
  return error.field === undefined || error.field in messages ? messages : { ...messages, [error.field]: asSentence(error.message) }
}

/** Returns whether the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof AuthenticationError

/** Returns whether the same request may succeed later: there was no response, or the server is busy or failing. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof RateLimitError || error instanceof ServerError
