import { Stack, type StackProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFailure } from './form-failure.tsx'

interface FormFrameProps extends Pick<StackProps, 'gap' | 'maw'> {
  onSubmit: () => void
  error?: unknown
  /** API paths whose errors the form shows at its fields. */
  fields?: readonly string[]
  buttons?: ReactNode
  children: ReactNode
}

/** A form that is validated by the API. Errors that do not belong to a field appear above the buttons. */
export function FormFrame({ onSubmit, error, fields = [], buttons, children, ...stack }: FormFrameProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Stack {...stack}>
        {children}
        <FormFailure error={error} fields={fields} />
        {buttons}
      </Stack>
    </form>
  )
}
