import { Alert, Text } from '@mantine/core'
import { fieldErrors, messageOf, requestIdOf } from '../lib/errors.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

/** Why a form could not be sent, where no field can tell. @param fields paths that the form shows faults of */
export function FormFailure({ error, fields }: { error: unknown; fields: readonly string[] }) {
  const words = useWords(sharedWords)
  if (error === null || error === undefined) return null
  const told = Object.entries(fieldErrors(error))
  const elsewhere = told.filter(([path]) => !fields.includes(path))
  if (told.length > 0 && elsewhere.length === 0) return null
  const requestId = requestIdOf(error)
  return (
    <Alert color="red" role="alert" title={words.failed}>
      {elsewhere.length > 0
        ? elsewhere.map(([path, message]) => (
            <Text key={path} size="sm">
              {message}
            </Text>
          ))
        : messageOf(error)}
      {requestId !== undefined && (
        <Text size="xs" className="wrap">
          {words.request} {requestId}
        </Text>
      )}
    </Alert>
  )
}
