import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useSearchText } from '../lib/search-text.ts'

interface FilterInputProps {
  label: string
  /** The value in the URL. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** A search field that applies the text while the user types. */
export function SearchInput({ label, value, onChange }: FilterInputProps) {
  const [text, setText] = useSearchText(value, onChange)
  return (
    <TextInput
      type="search"
      // Wide enough for its placeholder: filters beside it continue on the next line.
      flex="1 1 150px"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      maxLength={200}
    />
  )
}

/** A date field. Its value is a day such as `2026-05-25`. Keeps the text while the user types: the URL follows too late for the next digit. */
export function DayInput({ label, value, onChange }: FilterInputProps) {
  const [text, setText] = useSearchText(value, onChange)
  return <TextInput type="date" label={label} value={text} onChange={(event) => setText(event.currentTarget.value)} />
}
