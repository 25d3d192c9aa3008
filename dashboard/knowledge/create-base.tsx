import { Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { useMessages } from '../messages/messages.ts'
import { basesKey } from './queries.ts'
import { knowledgeMessages } from './messages.ts'

export default function CreateBase({ onClose }: { onClose: () => void }) {
  const messages = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const navigate = useNavigate()
  const form = useForm({ name: '', description: '', language: '' })
  const change = useChange(
    ({ name, description, language }: typeof form.values) =>
      workspace.client.bases.create({ name, description, language: language.trim() === '' ? null : language }),
    {
      invalidates: () => [basesKey(workspace)],
      done: messages.created,
      notifyFailure: false,
      onDone: ({ id }) => {
        form.reset()
        onClose()
        void navigate({
          to: '/$organization/knowledge/$baseId/sources',
          params: { organization: workspace.organization.slug, baseId: id },
        })
      },
    },
  )
  return (
    <FormDialog
      title={messages.newBase}
      onClose={onClose}
      {...sentBy(form, change)}
      action={messages.create}
      fields={['name', 'description', 'language']}
    >
      <TextInput label={messages.name} description={messages.nameHelp} {...form.text('name')} maxLength={200} required data-autofocus />
      <Textarea label={messages.description} {...form.text('description')} autosize minRows={2} maxRows={6} />
      <TextInput label={messages.language} description={messages.languageHelp} {...form.text('language')} />
    </FormDialog>
  )
}
