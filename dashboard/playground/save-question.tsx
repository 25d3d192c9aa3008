import type { SearchHit } from '@groundwork/api'
import { Text, Textarea, TextInput } from '@mantine/core'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'
import { playgroundWords } from './words.ts'

interface SaveQuestionProps {
  hit: SearchHit
  question: string
  onClose: () => void
}

/** Saves a question for evaluations, with the source of a passage as the expected source. */
export function SaveQuestion({ hit, question, onClose }: SaveQuestionProps) {
  const words = useWords(playgroundWords)
  const { save } = useWords(sharedWords)
  const { client, organization } = useWorkspace()
  const form = useForm({ question, expectedText: '', note: '' })
  const change = useChange(
    ({ expectedText, ...rest }: typeof form.values) =>
      client.bases.questions.create(hit.baseId, {
        ...rest,
        expectedSourceIds: [hit.sourceId],
        expectedText: expectedText.trim() === '' ? null : expectedText,
      }),
    {
      invalidates: () => [[organization.id, 'bases', hit.baseId, 'questions']],
      done: words.saved,
      notifyFailure: false,
      onDone: onClose,
    },
  )
  return (
    <FormDialog
      title={words.saveTitle}
      onClose={onClose}
      {...sentBy(form, change)}
      action={save}
      fields={['question', 'expectedText', 'note']}
    >
      <Text size="sm" c="dimmed">
        {words.saveHelp}
      </Text>
      <Textarea label={words.question} {...form.text('question')} maxLength={4000} autosize required data-autofocus />
      <TextInput label={words.expectedSource} value={hit.sourceName} readOnly />
      <TextInput label={words.expectedText} description={words.expectedTextHelp} {...form.text('expectedText')} maxLength={2000} />
      <TextInput label={words.note} {...form.text('note')} maxLength={2000} />
    </FormDialog>
  )
}
