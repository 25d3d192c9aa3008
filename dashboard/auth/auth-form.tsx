import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFrame } from '../shell/form-frame.tsx'

interface AuthFormProps {
  onSubmit: () => void
  pending: boolean
  error: unknown
  /** API paths whose errors the form shows at its fields. */
  fields?: readonly string[]
  action: string
  /** Makes the button as wide as its label. For pages with several forms. */
  inline?: boolean
  children: ReactNode
}

export function AuthForm({ onSubmit, pending, error, fields = [], action, inline = false, children }: AuthFormProps) {
  const button = (
    <Button type="submit" loading={pending} {...(inline && { className: 'at-start' })}>
      {action}
    </Button>
  )
  return (
    <FormFrame onSubmit={onSubmit} error={error} fields={fields} buttons={button}>
      {children}
    </FormFrame>
  )
}
