import type { Company, CreateCompany, CustomField } from '@groundwork/api'
import { SimpleGrid, TextInput } from '@mantine/core'
import { formatNumber, parseNumber } from '../lib/custom-fields.ts'
import { useMessages } from '../messages/messages.ts'
import { ChoiceInput, isChoice } from '../shell/choice-input.tsx'
import { companyMessages } from './messages.ts'

/** Values of custom fields as they are typed or chosen, by the id of the field. */
export type CustomValues = Readonly<Record<string, unknown>>

interface CustomInputsProps {
  fields: readonly CustomField[]
  values: CustomValues
  /** Messages by the id of the field. */
  errors: Readonly<Record<string, string>>
  onChange: (values: CustomValues) => void
}

export function CustomInputs({ fields, values, errors, onChange }: CustomInputsProps) {
  const words = useMessages(companyMessages)
  if (fields.length === 0) return null
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {fields.map((field) => {
        const value = values[field.id]
        const common = { label: field.name, error: errors[field.id] }
        if (isChoice(field))
          return (
            <ChoiceInput
              key={field.id}
              {...common}
              words={words}
              field={field}
              value={value}
              onChange={(chosen) => onChange({ ...values, [field.id]: chosen })}
            />
          )
        return (
          <TextInput
            key={field.id}
            {...common}
            type={field.type === 'date' ? 'date' : 'text'}
            inputMode={field.type === 'number' ? 'decimal' : undefined}
            autoComplete="off"
            value={typeof value === 'number' ? formatNumber(value) : typeof value === 'string' ? value : ''}
            onChange={({ currentTarget }) => onChange({ ...values, [field.id]: currentTarget.value })}
          />
        )
      })}
    </SimpleGrid>
  )
}

/** Returns the changed values for a request. Empty fields are cleared. */
export function customBody(
  fields: readonly CustomField[],
  values: CustomValues,
  company: Company | undefined,
): CreateCompany['customFields'] {
  const changed = fields.flatMap((field): [string, string | number | boolean | string[] | null][] => {
    const value = sentValue(field, values[field.id])
    return JSON.stringify(value) === JSON.stringify(company?.customFields[field.id] ?? null) ? [] : [[field.id, value]]
  })
  return Object.fromEntries(changed)
}

function sentValue({ type }: CustomField, value: unknown): string | number | boolean | string[] | null {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value === 'boolean' || typeof value === 'number') return value
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '') return null
  return (type === 'number' ? parseNumber(text) : undefined) ?? text
}
