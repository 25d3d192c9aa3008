import type { Contact } from '@groundwork/api'
import { ActionIcon, Box, Button, Group, Text, TextInput } from '@mantine/core'
import { IconListDetails, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { useForm } from '../shell/form.ts'
import { useMayEdit } from '../shell/record-gone.tsx'
import { useSaveField } from './save-field.ts'
import { TextFieldOf } from './text-field.tsx'
import { contactMessages } from './messages.ts'

type List = 'emails' | 'phones'
type Entry = Contact[List][number]

const maxEntries = 20

/** The main email address or phone number, edited inline, and the others, edited in a dialog with their labels. */
export function EntriesOf({ contact, list }: { contact: Contact; list: List }) {
  const { entries: messages } = useMessages(contactMessages)
  const mayWrite = useMayEdit('contacts:write')
  const [editing, setEditing] = useState(false)
  const entries: readonly Entry[] = contact[list]
  const labelOf = ({ label }: Entry): string => (label === null ? '' : ` (${label})`)
  const [main, ...others] = entries
  return (
    <>
      <Box>
        {list === 'emails' ? (
          <TextFieldOf contact={contact} field="email" type="email" />
        ) : (
          <TextFieldOf contact={contact} field="phone" type="tel" />
        )}
        {main?.label != null && (
          <Text size="xs" c="dimmed" className="field-read">
            {main.label}
          </Text>
        )}
        {others.map((entry) => (
          <Text key={entry.value} size="sm" className="field-read wrap">
            {entry.value}
            {labelOf(entry)}
          </Text>
        ))}
      </Box>
      {mayWrite && (
        <ActionIcon
          size={36}
          variant="subtle"
          color="gray"
          aria-label={messages.open[list]}
          title={messages.open[list]}
          onClick={() => setEditing(true)}
        >
          <IconListDetails size={16} aria-hidden />
        </ActionIcon>
      )}
      {editing && <EditEntries contact={contact} list={list} onClose={() => setEditing(false)} />}
    </>
  )
}

interface DraftEntry {
  /** Identifies the row while it is edited. */
  key: number
  value: string
  label: string
  /** The entry before editing, whose other properties stay if its value does. */
  former?: Entry
}

function EditEntries({ contact, list, onClose }: { contact: Contact; list: List; onClose: () => void }) {
  const { entries: messages } = useMessages(contactMessages)
  const { save } = useMessages(sharedMessages)
  const [base] = useState<readonly Entry[]>(contact[list])
  const change = useSaveField(contact, list)
  const form = useForm<{ entries: DraftEntry[] }>({
    entries: (base.length === 0 ? [undefined] : base).map((former, key) => ({
      key,
      value: former?.value ?? '',
      label: former?.label ?? '',
      ...(former && { former }),
    })),
  })
  const { entries } = form.values
  const filled = entries.filter(({ value }) => value.trim() !== '')
  const set = (key: number, changes: Partial<DraftEntry>): void =>
    form.set(
      'entries',
      entries.map((entry) => (entry.key === key ? { ...entry, ...changes } : entry)),
    )
  const submit = (): void => {
    form.sending()
    change.mutate(
      // Safe cast: the API completes the properties of new entries.
      { base: base as Contact[List], value: filled.map(toInput) as unknown as Contact[List] },
      { onSuccess: onClose, onError: form.refuse },
    )
  }
  return (
    <FormDialog
      title={messages.open[list]}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      action={save}
      busy={change.isPending}
      error={change.error}
      fields={filled.flatMap((_, index) => [`${list}.${index}.value`, `${list}.${index}.label`])}
    >
      {entries.map((entry, row) => {
        const path = `${list}.${filled.indexOf(entry)}`
        const name = row === 0 ? messages.main[list] : messages.further[list](row + 1)
        return (
          <Group key={entry.key} gap="xs" align="flex-start" wrap="nowrap">
            <TextInput
              flex={2}
              miw={0}
              label={name}
              type={list === 'emails' ? 'email' : 'tel'}
              autoComplete="off"
              value={entry.value}
              error={form.errorOf(`${path}.value`)}
              onChange={({ currentTarget }) => set(entry.key, { value: currentTarget.value })}
              {...(row === 0 && { 'data-autofocus': true })}
            />
            <TextInput
              flex={1}
              miw={0}
              label={messages.label}
              aria-label={messages.labelOf(name)}
              placeholder={messages.labelExample}
              maxLength={40}
              value={entry.label}
              error={form.errorOf(`${path}.label`)}
              onChange={({ currentTarget }) => set(entry.key, { label: currentTarget.value })}
            />
            <ActionIcon
              size={36}
              mt={24}
              variant="subtle"
              color="gray"
              aria-label={messages.remove(name)}
              onClick={() =>
                form.set(
                  'entries',
                  entries.filter(({ key }) => key !== entry.key),
                )
              }
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        )
      })}
      <Group justify="space-between">
        <Button
          variant="default"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={entries.length >= maxEntries}
          onClick={() =>
            form.set('entries', [...entries, { key: Math.max(-1, ...entries.map(({ key }) => key)) + 1, value: '', label: '' }])
          }
        >
          {messages.add[list]}
        </Button>
      </Group>
    </FormDialog>
  )
}

/** An unchanged value keeps what the client sent for it, and its extension. */
function toInput({ value, label, former }: DraftEntry): object {
  const named = { value: value.trim(), label: label.trim() === '' ? null : label.trim() }
  return former?.value === named.value ? { ...former, ...named } : named
}
