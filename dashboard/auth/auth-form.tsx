import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFailure } from '../shell/form-failure.tsx'

interface AuthFormProps {
  onSubmit: () => void
  pending: boolean
  error: unknown
  /** Paths that the form shows faults of. */
  fields?: readonly string[]
  action: string
  /** One of several on a page, whose button is as wide as its words. */
  inline?: boolean
  children: ReactNode
}

export function AuthForm({ onSubmit, pending, error, fields = [], action, inline = false, children }: AuthFormProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Stack>
        {children}
        <FormFailure error={error} fields={fields} />
        <Button type="submit" loading={pending} {...(inline && { className: 'at-start' })}>
          {action}
        </Button>
      </Stack>
    </form>
  )
}
