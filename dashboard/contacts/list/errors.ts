import { ConflictError, GroundworkError, ValidationError, BadRequestError } from '@groundwork/sdk'
import { hasOwnMessage } from '../../lib/errors.ts'
import { messagesOf } from '../../messages/messages.ts'
import { listMessages } from './messages.ts'

/** Returns the error with a message for users in place of that of the API. */
export function shownError(error: unknown, of: 'list' | 'change'): Error {
  const { errors } = messagesOf(listMessages)
  if (error instanceof Error && (!(error instanceof GroundworkError) || hasOwnMessage(error))) return error
  if (of === 'list') return new Error(errors.filter)
  if (error instanceof ConflictError) return new Error(errors.conflict)
  return new Error(error instanceof ValidationError || error instanceof BadRequestError ? errors.validation : errors.other)
}
