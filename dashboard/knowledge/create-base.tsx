import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { FormFailure } from '../shell/form-failure.tsx'
import { useForm } from '../shell/form.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'
import { basesKey } from './queries.ts'
import { knowledgeWords } from './words.ts'

export function CreateBase({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useWords(knowledgeWords)
  const { cancel, close } = useWords(sharedWords)
  const workspace = useWorkspace()
  const navigate = useNavigate()
  const form = useForm({ name: '', description: '', language: '' })
  const change = useChange(
    ({ name, description, language }: typeof form.values) =>
      workspace.client.bases.create({ name, description, language: language.trim() === '' ? null : language }),
    {
      touches: () => [basesKey(workspace)],
      done: words.created,
      tellFailure: false,
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
    <Modal opened={opened} onClose={onClose} title={words.newBase} closeButtonProps={{ 'aria-label': close }}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(form.values, { onError: form.refuse })
        }}
      >
        <Stack>
          <TextInput label={words.name} description={words.nameHelp} {...form.text('name')} maxLength={200} required data-autofocus />
          <Textarea label={words.description} {...form.text('description')} autosize minRows={2} maxRows={6} />
          <TextInput label={words.language} description={words.languageHelp} {...form.text('language')} />
          <FormFailure error={change.error} fields={['name', 'description', 'language']} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {cancel}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {words.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
