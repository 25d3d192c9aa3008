import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useSearchText } from '../lib/search-text.ts'

interface FilterInputProps {
  label: string
  /** As it is in the address. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** Looks for words as they are typed. */
export function SearchInput({ label, value, onChange }: FilterInputProps) {
  const [text, setText] = useSearchText(value, onChange)
  return (
    <TextInput
      type="search"
      flex={1}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      maxLength={200}
    />
  )
}

/** A day such as `2026-05-25`. */
export function DayInput({ label, value, onChange }: FilterInputProps) {
  return <TextInput type="date" label={label} value={value ?? ''} onChange={(event) => onChange(event.currentTarget.value || undefined)} />
}
