import type { CustomField } from '@groundwork/api'
import { Checkbox, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { actorChoicesQuery } from '../../lib/choices.ts'
import { languageOptions, timeZoneOptions } from '../../lib/code-names.ts'
import { customFieldsQuery, formatNumber, parseNumber } from '../../lib/custom-fields.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { ChoiceInput, isChoice } from '../../shell/choice-input.tsx'
import { CompanyPicker } from '../../shell/company-picker.tsx'
import type { Form } from '../../shell/form.ts'
import { AddressInputs, addressValues, type AddressValues } from '../address-inputs.tsx'
import { contactMessages } from '../messages.ts'
import { listMessages } from './messages.ts'
import { customPrefix, plainFields, type FieldValue, type PlainField, type Wanted } from './wanted.ts'

/** Chooses a field and its new value. @param isFixed whether the field is given */
export function SetField({ form, isFixed }: { form: Form<Wanted>; isFixed: boolean }) {
  const messages = useMessages(listMessages)
  const { fields } = useMessages(contactMessages)
  const { data: customFields = [] } = useQuery(customFieldsQuery(useWorkspace(), 'contact'))
  const { field, clears } = form.values
  const choose = (name: string | null): void => {
    form.set('field', name)
    form.set('value', null)
    form.set('clears', false)
  }
  return (
    <>
      {!isFixed && (
        <Select
          label={messages.field}
          data={[
            ...plainFields.map((value) => ({ value, label: fields[value] })),
            ...customFields.map(({ id, name }) => ({ value: `${customPrefix}${id}`, label: name })),
          ]}
          searchable
          value={field}
          onChange={choose}
          data-autofocus
        />
      )}
      {field !== null && !clears && (
        <NewValue
          field={field}
          custom={customFields.find(({ id }) => field === `${customPrefix}${id}`)}
          value={form.values.value}
          onChange={(value) => form.set('value', value)}
        />
      )}
      {field !== null && field !== 'doNotContact' && (
        <Checkbox
          label={messages.clearField}
          checked={clears}
          onChange={({ currentTarget }) => form.set('clears', currentTarget.checked)}
        />
      )}
    </>
  )
}

interface NewValueProps {
  field: string
  custom: CustomField | undefined
  value: FieldValue | null
  onChange: (value: FieldValue | null) => void
}

function NewValue({ field, custom, value, onChange }: NewValueProps) {
  const words = useMessages(contactMessages)
  const text = typeof value === 'string' ? value : null
  if (custom !== undefined) {
    if (isChoice(custom)) return <ChoiceInput field={custom} words={words} label={custom.name} value={value} onChange={onChange} />
    return <TypedValue key={field} label={custom.name} type={custom.type} value={value} onChange={onChange} />
  }
  // Its definition is still loading, or it was archived.
  if (field.startsWith(customPrefix)) return null
  const label = words.fields[field as PlainField]
  switch (field as PlainField) {
    case 'companyId':
      return <CompanyPicker label={label} value={text} onChange={onChange} />
    case 'ownerId':
      return <Owner label={label} value={text} onChange={onChange} />
    case 'language':
      return <Select label={label} data={languageOptions(text)} searchable value={text} onChange={onChange} />
    case 'timeZone':
      return <Select label={label} data={timeZoneOptions(text)} searchable limit={50} value={text} onChange={onChange} />
    case 'address': {
      const address = typeof value === 'object' && value !== null ? (value as AddressValues) : addressValues(null)
      return <AddressInputs values={address} set={(part, typed) => onChange({ ...address, [part]: typed })} />
    }
    case 'doNotContact':
      return (
        <Select
          label={label}
          data={[
            { value: 'true', label: words.yes },
            { value: 'false', label: words.no },
          ]}
          value={typeof value === 'boolean' ? String(value) : null}
          onChange={(chosen) => onChange(chosen === null ? null : chosen === 'true')}
        />
      )
    default:
      return <TypedValue key={field} label={label} type="text" maxLength={120} value={value} onChange={onChange} />
  }
}

interface OwnerProps {
  label: string
  value: string | null
  onChange: (value: string | null) => void
}

function Owner({ label, value, onChange }: OwnerProps) {
  const { data } = useQuery(actorChoicesQuery(useWorkspace()))
  const members = (data?.members ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return <Select label={label} data={members} searchable value={value} onChange={onChange} data-autofocus />
}

interface TypedValueProps extends Omit<NewValueProps, 'field' | 'custom'> {
  label: string
  type: CustomField['type']
  maxLength?: number
}

/** A text, a number or a day. A text that is no number is refused by the API. */
function TypedValue({ label, type, maxLength = 5000, value, onChange }: TypedValueProps) {
  // The text of a number that is not complete, such as “1.”.
  const [typed, setTyped] = useState<string>()
  const change = (text: string): void => {
    setTyped(text)
    onChange((type === 'number' ? parseNumber(text) : undefined) ?? text)
  }
  return (
    <TextInput
      label={label}
      type={type === 'date' ? 'date' : 'text'}
      inputMode={type === 'number' ? 'decimal' : undefined}
      maxLength={maxLength}
      autoComplete="off"
      value={typed ?? (typeof value === 'number' ? formatNumber(value) : typeof value === 'string' ? value : '')}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
