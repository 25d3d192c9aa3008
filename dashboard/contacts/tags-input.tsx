import type { Contact } from '@groundwork/api'
import { Badge, Group, TagsInput } from '@mantine/core'
import { messageOf } from '../lib/errors.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { useMayEdit } from '../shell/record-gone.tsx'
import { useSaveField } from './save-field.ts'
import { mergeTags } from './tags-field.ts'
import { contactMessages } from './messages.ts'

/** Edits the tags of a contact. Each added or removed tag is saved immediately. */
export function TagsOf({ contact }: { contact: Contact }) {
  const messages = useMessages(contactMessages)
  const { none } = useMessages(sharedMessages)
  const save = useSaveField(contact, 'tags', mergeTags)
  const tags = save.isPending ? save.variables.value : contact.tags
  if (!useMayEdit('contacts:write')) {
    return (
      <Group gap={4}>
        {tags.length === 0 && none}
        {tags.map((tag) => (
          <Badge key={tag} variant="default" fw={500}>
            {tag}
          </Badge>
        ))}
      </Group>
    )
  }
  return (
    <TagsInput
      aria-label={messages.fields.tags}
      placeholder={messages.addTag}
      value={tags}
      onChange={(value) => save.mutate({ base: tags, value })}
      error={save.error === null ? undefined : messageOf(save.error)}
      maxTags={50}
      acceptValueOnBlur
    />
  )
}
