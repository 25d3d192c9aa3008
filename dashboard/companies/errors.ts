import { ConflictError, GroundworkError, PreconditionFailedError } from '@groundwork/sdk'
import { fieldErrors, hasOwnMessage } from '../lib/errors.ts'
import { messagesOf } from '../messages/messages.ts'
import { companyMessages } from './messages.ts'

type Field = keyof ReturnType<typeof messagesOf<(typeof companyMessages)['en']>>['invalid']

/** Returns the messages of the form by field, and the error of the form as a whole; in place of messages of the API. */
export function formErrors(error: unknown): { fields: Partial<Record<Field, string>>; error: unknown } {
  const { invalid, taken, errors } = messagesOf(companyMessages)
  if (!(error instanceof GroundworkError) || hasOwnMessage(error)) return { fields: {}, error }
  if (error instanceof PreconditionFailedError) return { fields: {}, error: new Error(errors.changed) }
  const paths = Object.keys(fieldErrors(error)).map((path) => path.split('.', 1)[0] ?? '')
  const messages: Readonly<Record<string, string>> = error instanceof ConflictError ? taken : invalid
  const fields = Object.fromEntries(paths.flatMap((path) => (messages[path] === undefined ? [] : [[path, messages[path]]])))
  if (Object.keys(fields).length > 0) return { fields, error: null }
  return { fields, error: new Error(error instanceof ConflictError ? errors.conflict : errors.other) }
}
