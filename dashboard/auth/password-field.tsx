import { PasswordInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages.ts'
import { authMessages } from './messages.ts'

interface PasswordFieldProps {
  label: string
  description?: ReactNode
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  /** Tells password managers to suggest a new password instead of filling in a saved one. */
  isNew?: boolean
}

export function PasswordField({ label, description, value, onChange, error, isNew = false }: PasswordFieldProps) {
  const messages = useMessages(authMessages)
  return (
    <PasswordInput
      label={label}
      description={description}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      // Unlike other inputs, this one does not tell it to screen readers.
      aria-invalid={error === undefined ? undefined : true}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      visibilityToggleButtonProps={{ 'aria-label': messages.showPassword }}
      required
    />
  )
}
