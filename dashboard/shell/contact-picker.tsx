import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contactName, contactQuery } from '../lib/contact.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { proposalMessages } from './messages.ts'

/** The delay between the last key and the search. */
const debounceMs = 150
const maxOptions = 20

interface ContactPickerProps {
  value: string
  onChange: (contactId: string) => void
  error: string | undefined
}

/** Selects a contact and searches while the user types. @param props.value the id, or an empty string */
export function ContactPicker({ value, onChange, error }: ContactPickerProps) {
  const { form: words } = useMessages(proposalMessages)
  const workspace = useWorkspace()
  const { client, organization } = workspace
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
  const options = chosen === undefined || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found]
  return (
    <Select
      label={words.contact}
      placeholder={words.findContact}
      searchable
      required
      data={options.map((contact) => ({ value: contact.id, label: contactName(contact) }))}
      // The API has already filtered, also by fields that the label does not show.
      filter={({ options: matching }) => matching}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={words.noContact}
      error={error}
    />
  )
}
