import type { Contact } from '@groundwork/api'
import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { actorChoicesQuery } from '../lib/choices.ts'
import { messageOf } from '../lib/errors.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { languageOptions, timeZoneOptions } from '../lib/code-names.ts'
import { useOptionsOnFocus } from '../shell/options-on-focus.ts'
import { useMayEdit } from '../shell/record-gone.tsx'
import { useSaveField } from './save-field.ts'
import { contactMessages } from './messages.ts'

interface SelectFieldProps {
  contact: Contact
  field: 'language' | 'timeZone' | 'ownerId'
  data: { value: string; label: string }[]
}

const shownOptions = 50

/** A field with one of some values. A choice is saved immediately. */
function SelectFieldOf({ contact, field, data }: SelectFieldProps) {
  const { fields } = useMessages(contactMessages)
  const { none } = useMessages(sharedMessages)
  const save = useSaveField(contact, field)
  const options = useOptionsOnFocus()
  const value = save.isPending ? save.variables.value : contact[field]
  if (!useMayEdit('contacts:write'))
    return <Text className="field-read">{data.find((option) => option.value === value)?.label ?? value ?? none}</Text>
  return (
    <Select
      {...options}
      aria-label={fields[field]}
      placeholder={none}
      data={data}
      limit={shownOptions}
      searchable
      clearable
      value={value}
      onChange={(chosen) => save.mutate({ base: contact[field], value: chosen })}
      error={save.error === null ? undefined : messageOf(save.error)}
    />
  )
}

export const LanguageOf = ({ contact }: { contact: Contact }) => (
  <SelectFieldOf contact={contact} field="language" data={languageOptions(contact.language)} />
)

export const TimeZoneOf = ({ contact }: { contact: Contact }) => (
  <SelectFieldOf contact={contact} field="timeZone" data={timeZoneOptions(contact.timeZone)} />
)

/** The member responsible for the contact. */
export function OwnerOf({ contact }: { contact: Contact }) {
  const { data } = useQuery(actorChoicesQuery(useWorkspace()))
  const members = (data?.members ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return <SelectFieldOf contact={contact} field="ownerId" data={members} />
}
