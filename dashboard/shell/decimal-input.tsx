import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { formatAmountOrPercent, parseAmountOrPercent } from '../lib/decimals.ts'

interface DecimalInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** An exact decimal such as `1234.50`, also with a percent sign; or the typed text while it is no number. */
  value: string
  onChange: (value: string) => void
}

/** An input for a number in the format of the browser’s locale. It shows what it has understood when the user leaves it. */
export function DecimalInput({ value, onChange, ...input }: DecimalInputProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...input}
      value={typed ?? formatAmountOrPercent(value)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(parseAmountOrPercent(currentTarget.value) ?? currentTarget.value)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
