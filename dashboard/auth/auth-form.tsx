import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFrame } from '../shell/form-frame.tsx'
import type { Attempt } from './use-attempt.ts'

interface AuthFormProps {
  onSubmit: () => void
  attempt: Pick<Attempt<never>, 'pending' | 'error'>
  /** API paths whose errors the form shows at its fields. */
  fields?: readonly string[]
  action: string
  /** Makes the button as wide as its label. For pages with several forms. */
  inline?: boolean
  children: ReactNode
}

export function AuthForm({ onSubmit, attempt, fields = [], action, inline = false, children }: AuthFormProps) {
  const button = (
    <Button type="submit" loading={attempt.pending} {...(inline && { className: 'at-start' })}>
      {action}
    </Button>
  )
  return (
    <FormFrame onSubmit={onSubmit} error={attempt.error} fields={fields} buttons={button}>
      {children}
    </FormFrame>
  )
}
