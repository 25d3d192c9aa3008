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
  /** What a password manager is told: one to fill in, or one to make up. */
  fresh?: boolean
}

export function PasswordField({ label, description, value, onChange, error, fresh = false }: PasswordFieldProps) {
  const words = useWords(authWords)
  return (
    <PasswordInput
      label={label}
      description={description}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      autoComplete={fresh ? 'new-password' : 'current-password'}
      visibilityToggleButtonProps={{ 'aria-label': words.showPassword }}
      required
    />
  )
}
