import { Drawer, SimpleGrid, TagsInput, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { contactName } from '../lib/contact.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { DialogForm } from '../shell/form-dialog.tsx'
import { sentBy, useDiscard, useForm } from '../shell/form.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { filteredKey } from './keys.ts'
import { showContact } from './shown.ts'
import { contactMessages } from './messages.ts'

const empty = { firstName: '', lastName: '', email: '', phone: '', source: '', tags: [] as string[] }
/** Marks the field that has the focus when the dialog opens. */
const initialFocus: object = { 'data-autofocus': true }
type TextField = Exclude<keyof typeof empty, 'tags'>

export default function CreateContact({ onClose }: { onClose: () => void }) {
  const messages = useMessages(contactMessages)
  const { close } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const form = useForm(empty)
  const { close: discard, isAsking } = useDiscard(form, onClose)
  const change = useChange(({ tags, ...texts }: typeof empty) => workspace.client.contacts.create({ ...filledIn(texts), tags }), {
    invalidates: () => [[workspace.organization.id, ...filteredKey]],
    done: (contact) => messages.created(contactName(contact)),
    notifyFailure: false,
    onDone: (contact) => {
      showContact({ queries, organizationId: workspace.organization.id }, contact)
      onClose()
    },
  })
  const field = (name: TextField, more: TextInputProps = {}) => <TextInput label={messages.fields[name]} {...form.text(name)} {...more} />
  return (
    <Drawer
      opened
      onClose={discard}
      closeOnEscape={!isAsking}
      position="right"
      size="md"
      title={messages.newContact}
      closeButtonProps={{ 'aria-label': close }}
    >
      <DialogForm onClose={discard} {...sentBy(form, change)} action={messages.create} fields={Object.keys(empty)}>
        <Text size="sm" c="dimmed">
          {messages.identityHelp}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {field('firstName', { ...initialFocus, autoComplete: 'off', maxLength: 120 })}
          {field('lastName', { autoComplete: 'off', maxLength: 120 })}
        </SimpleGrid>
        {field('email', { type: 'email', autoComplete: 'off', maxLength: 254 })}
        {field('phone', { type: 'tel', autoComplete: 'off', description: messages.phoneHelp })}
        <TagsInput label={messages.fields.tags} {...form.field('tags')} maxTags={50} />
        {field('source', { maxLength: 120 })}
      </DialogForm>
    </Drawer>
  )
}

/** Omits empty fields. */
const filledIn = (texts: Record<TextField, string>): Partial<Record<TextField, string>> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))
