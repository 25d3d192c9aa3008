import type { CustomField } from '@groundwork/api'
import { MultiSelect, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { languageOptions } from '../../lib/code-names.ts'
import { customFieldsQuery, formatNumber, parseNumber } from '../../lib/custom-fields.ts'
import { useSearchText } from '../../lib/search-text.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { ChoiceInput, isChoice } from '../../shell/choice-input.tsx'
import { CompanyPicker } from '../../shell/company-picker.tsx'
import { channels, consentStates } from '../consent-values.ts'
import { contactMessages } from '../messages.ts'
import { listMessages } from './messages.ts'
import type { FilterValue } from './search.ts'

type Values = Readonly<Record<string, FilterValue>>

interface FieldFiltersProps {
  /** The values by the key of their field. */
  is: Values
  onChange: (changed: (is: Values) => Values) => void
}

/** Filters for the values of fields: the company, consent, the language, the source and custom fields. */
export function FieldFilters({ is, onChange }: FieldFiltersProps) {
  const words = useMessages(listMessages)
  const set = (key: string, value: FilterValue | null | undefined): void => {
    onChange(({ [key]: _former, ...others }) => (value === null || value === undefined ? others : { ...others, [key]: value }))
  }
  const text = (key: string): string | null => (typeof is[key] === 'string' ? is[key] : null)
  return (
    <>
      <CompanyPicker label={words.columns.companyId} value={text('companyId')} onChange={(id) => set('companyId', id)} />
      <ConsentFilter is={is} onChange={onChange} />
      <Select
        label={words.columns.language}
        data={languageOptions(text('language'))}
        value={text('language')}
        onChange={(code) => set('language', code)}
        searchable
        clearable
      />
      <TextFilter label={words.columns.source} value={text('source') ?? undefined} onChange={(source) => set('source', source)} />
      <CustomFilters is={is} set={set} />
    </>
  )
}

/** Chooses a state of consent for each channel. The last choice for a channel counts. */
function ConsentFilter({ is, onChange }: FieldFiltersProps) {
  const { consent } = useMessages(contactMessages)
  const keys = channels.map((channel) => `consent.${channel}`)
  const data = channels.flatMap((channel) =>
    consentStates.map((state) => ({
      value: `consent.${channel}=${state}`,
      label: `${consent.channels[channel]}: ${consent.states[state]}`,
    })),
  )
  const change = (chosen: string[]): void => {
    const wanted = chosen.flatMap((each) => {
      const [key, state] = each.split('=')
      return key === undefined || state === undefined ? [] : [[key, state] as const]
    })
    onChange((now) => Object.fromEntries([...Object.entries(now).filter(([key]) => !keys.includes(key)), ...wanted]))
  }
  const value = keys.flatMap((key) => (is[key] === undefined ? [] : [`${key}=${String(is[key])}`]))
  return <MultiSelect label={consent.title} data={data} value={value} onChange={change} searchable clearable />
}

/** Filters for custom fields: those that have a value, and those that were added. */
function CustomFilters({ is, set }: { is: Values; set: (key: string, value: FilterValue | null | undefined) => void }) {
  const words = useMessages(listMessages)
  const { data: fields = [] } = useQuery(customFieldsQuery(useWorkspace(), 'contact'))
  const [added, setAdded] = useState<readonly string[]>([])
  const isShown = ({ id }: CustomField): boolean => added.includes(id) || is[keyOf(id)] !== undefined
  const others = fields.filter((field) => !isShown(field))
  return (
    <>
      {fields.filter(isShown).map((field) => (
        <CustomFilter key={field.id} field={field} value={is[keyOf(field.id)]} onChange={(value) => set(keyOf(field.id), value)} />
      ))}
      {others.length > 0 && (
        <Select
          label={words.customField}
          placeholder={words.addFilter}
          data={others.map(({ id, name }) => ({ value: id, label: name }))}
          value={null}
          onChange={(id) => id !== null && setAdded([...added, id])}
          searchable
        />
      )}
    </>
  )
}

const keyOf = (id: string): string => `customFields.${id}`

interface CustomFilterProps {
  field: CustomField
  value: FilterValue | undefined
  onChange: (value: FilterValue | undefined) => void
}

function CustomFilter({ field, value, onChange }: CustomFilterProps) {
  const words = useMessages(contactMessages)
  // The filter is one value, which a list of several contains.
  if (isChoice(field))
    return (
      <ChoiceInput
        field={field.type === 'multiselect' ? { ...field, type: 'select' } : field}
        words={words}
        label={field.name}
        value={value}
        onChange={(chosen) => onChange(Array.isArray(chosen) ? chosen[0] : (chosen ?? undefined))}
      />
    )
  const change = (text: string | undefined): void => {
    onChange((field.type === 'number' && text !== undefined ? parseNumber(text) : undefined) ?? text)
  }
  return (
    <TextFilter
      label={field.name}
      type={field.type === 'date' ? 'date' : 'text'}
      inputMode={field.type === 'number' ? 'decimal' : undefined}
      value={typeof value === 'number' ? formatNumber(value) : value === undefined ? undefined : String(value)}
      onChange={change}
    />
  )
}

interface TextFilterProps {
  label: string
  type?: 'text' | 'date'
  inputMode?: 'decimal' | undefined
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** A field that applies its text while the user types. */
function TextFilter({ label, type = 'text', inputMode, value, onChange }: TextFilterProps) {
  const [text, setText] = useSearchText(value, onChange)
  return (
    <TextInput
      label={label}
      type={type}
      inputMode={inputMode}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      maxLength={500}
      autoComplete="off"
    />
  )
}
