import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contactName, contactQuery } from '../lib/contact.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { useOptionsOnFocus } from './options-on-focus.ts'

/** The delay between the last key and the search. */
const debounceMs = 150
const maxOptions = 20

interface ContactPickerProps {
  label: string
  value: string
  onChange: (contactId: string) => void
  error?: string | undefined
  /** The id of a contact that is not offered. */
  except?: string
  /** Whether the choice is optional and can be cleared. */
  isOptional?: boolean
}

/** Selects a contact and searches while the user types. @param props.value the id, or an empty string */
export function ContactPicker({ label, value, onChange, error, except, isOptional = false }: ContactPickerProps) {
  const { contactPicker: words } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const { client, organization } = workspace
  const onFocus = useOptionsOnFocus()
  const [text, setText] = useState('')
  const [wanted] = useDebouncedValue(text.trim(), debounceMs)
  const chosen = useQuery({ ...contactQuery(workspace, value), enabled: value !== '' }).data
  const isChoice = chosen !== undefined && wanted === contactName(chosen)
  const query = isChoice ? '' : wanted
  const { data: found = [] } = useQuery({
    queryKey: [organization.id, 'contacts', 'picked', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await client.contacts.list({ limit: maxOptions, ...(query !== '' && { q: query }) }, { signal }).page()).data,
  })
  const options = (chosen === undefined || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found]).filter(
    ({ id }) => id !== except,
  )
  return (
    <Select
      {...onFocus}
      label={label}
      placeholder={words.placeholder}
      searchable
      required={!isOptional}
      clearable={isOptional}
      data={options.map((contact) => ({ value: contact.id, label: contactName(contact) }))}
      renderOption={({ option }) => {
        const contact = options.find(({ id }) => id === option.value)
        const details = [contact?.email, contact?.phone].filter((detail) => detail != null && detail !== option.label)
        return (
          <div className="wrap">
            {option.label}
            {details.length > 0 && (
              <Text size="xs" c="dimmed">
                {details.join(' · ')}
              </Text>
            )}
          </div>
        )
      }}
      // The API has already filtered, also by fields that the label does not show.
      filter={({ options: matching }) => matching}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={words.none}
      error={error}
    />
  )
}
