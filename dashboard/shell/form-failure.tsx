import { Alert, Text } from '@mantine/core'
import { messageOf, ShownError } from '../lib/errors.ts'
import { fieldErrors, isAtField } from '../lib/field-errors.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { FailedRequest } from './request-id.tsx'

/** Shows errors of a form that do not belong to one of its fields. @param fields API paths whose errors the form shows at its fields */
export function FormFailure({ error, fields }: { error: unknown; fields: readonly string[] }) {
  const messages = useMessages(sharedMessages)
  if (error === null || error === undefined) return null
  const all = Object.entries(fieldErrors(error))
  const others = all.filter(([path]) => !fields.some((field) => isAtField(path, field)))
  if (all.length > 0 && others.length === 0) return null
  return (
    <Alert color="red" role="alert" title={error instanceof ShownError ? undefined : messages.failed}>
      {others.length > 0
        ? others.map(([path, message]) => (
            <Text key={path} size="sm">
              {message}
            </Text>
          ))
        : messageOf(error)}
      <FailedRequest error={error} />
    </Alert>
  )
}
