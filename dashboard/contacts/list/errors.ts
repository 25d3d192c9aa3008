import { worded, type ShownError } from '../../lib/errors.ts'
import { messagesOf } from '../../messages/messages.ts'
import { viewsMessages } from '../../messages/views.ts'
import { listMessages } from './messages.ts'

/** Returns the error with a message of the list for refusals of its filters and its changes. */
export function shownError<E>(error: E, of: 'list' | 'change'): E | ShownError {
  const { errors } = messagesOf(listMessages)
  const invalid = of === 'list' ? errors.filter : errors.validation
  return worded(error, {
    bad_request: invalid,
    validation_error: invalid,
    ...(of === 'change' && { conflict: messagesOf(viewsMessages).tooMany }),
  })
}
