import { BadRequestError, ConflictError, PreconditionFailedError, ValidationError } from '@groundwork/sdk'
import { ShownError } from '../lib/errors.ts'
import { fieldErrors } from '../lib/field-errors.ts'
import { messagesOf } from '../messages/messages.ts'
import { companyMessages } from './messages.ts'

type Field = keyof ReturnType<typeof messagesOf<(typeof companyMessages)['en']>>['invalid']

interface FormErrors {
  fields: Partial<Record<Field, string>>
  /** By the id of a custom field. */
  custom: Record<string, string>
  error: unknown
}

/** Returns the messages of the form by field, and the error of the form as a whole; in place of messages of the API. */
export function formErrors(error: unknown): FormErrors {
  const { invalid, taken, errors } = messagesOf(companyMessages)
  if (!isRefusal(error)) return { fields: {}, custom: {}, error }
  if (error instanceof PreconditionFailedError) return { fields: {}, custom: {}, error: new ShownError(errors.changed) }
  const wholePaths = Object.keys(fieldErrors(error))
  const paths = wholePaths.map((path) => path.split('.', 1)[0] ?? '')
  const custom = Object.fromEntries(
    wholePaths.flatMap((path) => {
      const [name, id] = path.split('.')
      return name === 'customFields' && id !== undefined ? [[id, invalid.customFields]] : []
    }),
  )
  const messages: Readonly<Record<string, string>> = error instanceof ConflictError ? taken : invalid
  const fields = Object.fromEntries(paths.flatMap((path) => (messages[path] === undefined ? [] : [[path, messages[path]]])))
  if (Object.keys(fields).length > 0) return { fields, custom, error: null }
  return { fields, custom, error: new ShownError(error instanceof ConflictError ? errors.conflict : errors.other) }
}

/** Other errors have messages by their code. */
const isRefusal = (error: unknown): boolean =>
  [BadRequestError, ConflictError, PreconditionFailedError, ValidationError].some((kind) => error instanceof kind)
