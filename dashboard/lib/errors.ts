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

/** Why something did not work, for people; what the service says of a refusal is written for them already. */
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

/** Messages of the service begin with the field: `name: must not be empty`. */
const asSentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}`

/** The id that finds the request in the log of the service. */
export const requestIdOf = (error: unknown): string | undefined => (error instanceof GroundworkError ? error.requestId : undefined)

/** The contract says of what is left empty how long it has to be at least. */
function faultOf(message: string): string {
  const { required, chooseOne } = wordsOf(sharedWords).errors
  if (message.includes('expected string to have >=1 char')) return required
  return message.includes('expected array to have >=1 item') ? chooseOne : asSentence(message)
}

/** What is wrong with each field of a form, by the paths of the contract such as `ragSettings.chunkSize`. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof GroundworkError)) return {}
  const told = Object.fromEntries(error.issues.map(({ field, message }) => [field, faultOf(message)]))
  return error.field === undefined || error.field in told ? told : { ...told, [error.field]: asSentence(error.message) }
}

/** Whether the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof AuthenticationError

/** Whether the same question may be answered in a while: there was no answer, or the service is busy or failing. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof RateLimitError || error instanceof ServerError
