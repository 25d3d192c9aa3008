import { PasswordInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { authWords } from './words.ts'

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
  const words = useWords(authWords)
  return (
    <PasswordInput
      label={label}
      description={description}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      visibilityToggleButtonProps={{ 'aria-label': words.showPassword }}
      required
    />
  )
}
