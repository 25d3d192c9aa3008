import type { Contact } from '@groundwork/api'
import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { companyQuery } from '../lib/company.ts'
import { messageOf } from '../lib/errors.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { useMayEdit } from '../shell/record-gone.tsx'
import { useSaveField } from './save-field.ts'
import { contactMessages } from './messages.ts'

const debounceMs = 150
const maxOptions = 20
/** The option that creates a company. It is not the id of one. */
const createOption = 'create'

/** The company of a contact, found by its name or created. */
export function CompanyField({ contact }: { contact: Contact }) {
  const { fields, company: messages } = useMessages(contactMessages)
  const { none } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const { client, organization } = workspace
  const mayEdit = useMayEdit('contacts:write')
  const save = useSaveField(contact, 'companyId')
  const id = save.isPending ? save.variables.value : contact.companyId
  const { data: company } = useQuery({ ...companyQuery(workspace, id ?? ''), enabled: id !== null })
  const [searched, setSearched] = useState('')
  const [wanted] = useDebouncedValue(searched.trim(), debounceMs)
  const query = wanted === company?.name ? '' : wanted
  const { data: found = [] } = useQuery({
    queryKey: [organization.id, 'companies', 'picked', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await client.companies.list({ limit: maxOptions, ...(query !== '' && { q: query }) }, { signal }).page()).data,
  })
  const choose = (companyId: string | null): void => save.mutate({ base: contact.companyId, value: companyId })
  const add = useMutation({ mutationFn: (name: string) => client.companies.create({ name }), onSuccess: (added) => choose(added.id) })
  if (!mayEdit) return <Text className="field-read wrap">{company?.name ?? none}</Text>
  const options = company === undefined || found.some((each) => each.id === company.id) ? found : [company, ...found]
  const isNew = query !== '' && options.every(({ name }) => name.toLowerCase() !== query.toLowerCase())
  const error = save.error ?? add.error
  return (
    <Select
      aria-label={fields.companyId}
      placeholder={none}
      data={[
        ...options.map(({ id: value, name }) => ({ value, label: name })),
        ...(isNew ? [{ value: createOption, label: messages.create(query) }] : []),
      ]}
      // The API has already filtered.
      filter={(all) => all.options}
      searchable
      clearable
      value={company === undefined ? null : id}
      searchValue={searched}
      onSearchChange={setSearched}
      onChange={(value) => (value === createOption ? add.mutate(query) : choose(value))}
      nothingFoundMessage={messages.none}
      error={error === null ? undefined : messageOf(error)}
    />
  )
}
