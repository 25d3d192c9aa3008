import type { CustomField } from '@groundwork/api'
import { MultiSelect, Select } from '@mantine/core'

/** Types of custom fields whose values are chosen. */
export const isChoice = ({ type }: CustomField): boolean => type === 'boolean' || type === 'select' || type === 'multiselect'

interface ChoiceInputProps {
  field: CustomField
  words: { yes: string; no: string }
  value: unknown
  onChange: (value: string | boolean | string[] | null) => void
  label?: string
  'aria-label'?: string
  placeholder?: string
  error?: string | undefined
}

/** Chooses the value of a custom field with options, or yes or no. */
export function ChoiceInput({ field, value, onChange, words: { yes, no }, ...input }: ChoiceInputProps) {
  const options = (field.options ?? []).map((option) => ({ value: option.value, label: option.label }))
  if (field.type === 'boolean')
    return (
      <Select
        {...input}
        clearable
        data={[
          { value: 'true', label: yes },
          { value: 'false', label: no },
        ]}
        value={typeof value === 'boolean' ? String(value) : null}
        onChange={(chosen) => onChange(chosen === null ? null : chosen === 'true')}
      />
    )
  if (field.type === 'select')
    return <Select {...input} clearable searchable data={options} value={typeof value === 'string' ? value : null} onChange={onChange} />
  return (
    <MultiSelect
      {...input}
      {...(Array.isArray(value) && value.length > 0 && { placeholder: '' })}
      searchable
      data={options}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(chosen) => onChange(chosen.length === 0 ? null : chosen)}
    />
  )
}
