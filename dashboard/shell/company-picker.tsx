import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { companyQuery } from '../lib/company.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

/** The delay between the last key and the search. */
const debounceMs = 150
const maxOptions = 20

interface CompanyPickerProps {
  label: string
  /** The id of a company; null without one. */
  value: string | null
  onChange: (companyId: string | null) => void
  error?: string | undefined
  /** The id of a company that is not offered. */
  except?: string
}

/** Selects a company and searches while the user types. */
export function CompanyPicker({ label, value, onChange, error, except }: CompanyPickerProps) {
  const { companyPicker: words } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const { client, organization } = workspace
  const [text, setText] = useState('')
  const [wanted] = useDebouncedValue(text.trim(), debounceMs)
  const { data: chosen } = useQuery({ ...companyQuery(workspace, value ?? ''), enabled: value !== null })
  const query = value !== null && wanted === chosen?.name ? '' : wanted
  const { data: found = [] } = useQuery({
    queryKey: [organization.id, 'companies', 'picked', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await client.companies.list({ limit: maxOptions, ...(query !== '' && { q: query }) }, { signal }).page()).data,
  })
  const known = value === null || chosen === undefined || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found]
  return (
    <Select
      label={label}
      placeholder={words.placeholder}
      searchable
      clearable
      data={known.filter(({ id }) => id !== except).map(({ id, name }) => ({ value: id, label: name }))}
      // The API has already filtered.
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={words.none}
      error={error}
    />
  )
}
