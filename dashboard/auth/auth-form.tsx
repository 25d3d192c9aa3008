import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFrame } from '../shell/form-frame.tsx'

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
