import { Drawer, SimpleGrid, TagsInput, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { contactName } from '../lib/contact.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { DialogForm } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'
import { filteredKey } from './queries.ts'
import { showContact } from './shown.ts'
import { contactWords } from './words.ts'

const empty = { firstName: '', lastName: '', email: '', phone: '', source: '', tags: [] as string[] }
/** Marks the field that has the focus when the dialog opens. */
const initialFocus: object = { 'data-autofocus': true }
type TextField = Exclude<keyof typeof empty, 'tags'>

export function CreateContact({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useWords(contactWords)
  const { close } = useWords(sharedWords)
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const form = useForm(empty)
  const change = useChange(({ tags, ...texts }: typeof empty) => workspace.client.contacts.create({ ...filledIn(texts), tags }), {
    invalidates: () => [[workspace.organization.id, ...filteredKey]],
    done: (contact) => words.created(contactName(contact)),
    notifyFailure: false,
    onDone: (contact) => {
      showContact({ queries, organizationId: workspace.organization.id }, contact)
      form.reset()
      onClose()
    },
  })
  const field = (name: TextField, more: TextInputProps = {}) => <TextInput label={words.fields[name]} {...form.text(name)} {...more} />
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="md"
      title={words.newContact}
      closeButtonProps={{ 'aria-label': close }}
    >
      <DialogForm onClose={onClose} {...sentBy(form, change)} action={words.create} fields={Object.keys(empty)}>
        <Text size="sm" c="dimmed">
          {words.identityHelp}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {field('firstName', { ...initialFocus, autoComplete: 'off', maxLength: 120 })}
          {field('lastName', { autoComplete: 'off', maxLength: 120 })}
        </SimpleGrid>
        {field('email', { type: 'email', autoComplete: 'off', maxLength: 254 })}
        {field('phone', { type: 'tel', autoComplete: 'off', description: words.phoneHelp })}
        <TagsInput label={words.fields.tags} {...form.field('tags')} maxTags={50} />
        {field('source', { maxLength: 120 })}
      </DialogForm>
    </Drawer>
  )
}

/** Omits empty fields. */
const filledIn = (texts: Record<TextField, string>): Partial<Record<TextField, string>> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))
