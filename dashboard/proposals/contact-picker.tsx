import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contactName, contactQuery } from '../lib/contact.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useWords } from '../words/words.ts'
import { proposalWords } from './words.ts'

/** Between two keys. */
const typingMs = 150
const offered = 20

interface ContactPickerProps {
  value: string
  onChange: (contactId: string) => void
  error: string | undefined
}

/** Chooses a contact, found as one types. @param props.value its id, or nothing */
export function ContactPicker({ value, onChange, error }: ContactPickerProps) {
  const { form: words } = useWords(proposalWords)
  const workspace = useWorkspace()
  const { client, organization } = workspace
  const [text, setText] = useState('')
  const [wanted] = useDebouncedValue(text.trim(), typingMs)
  const chosen = useQuery({ ...contactQuery(workspace, value), enabled: value !== '' }).data
  const isChoice = chosen !== undefined && wanted === contactName(chosen)
  const query = isChoice ? '' : wanted
  const { data: found = [] } = useQuery({
    queryKey: [organization.id, 'contacts', 'picked', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await client.contacts.list({ limit: offered, ...(query !== '' && { q: query }) }, { signal }).page()).data,
  })
  const all = chosen === undefined || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found]
  return (
    <Select
      label={words.contact}
      placeholder={words.findContact}
      searchable
      required
      data={all.map((contact) => ({ value: contact.id, label: contactName(contact) }))}
      // The service has found them already, also by what their names do not show.
      filter={({ options }) => options}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={words.noContact}
      error={error}
    />
  )
}
