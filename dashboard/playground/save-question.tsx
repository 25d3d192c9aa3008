import type { SearchHit } from '@groundwork/api'
import { Text, Textarea, TextInput } from '@mantine/core'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { bestAnswer } from './highlights.ts'
import { playgroundMessages } from './messages.ts'

const maxExpectedText = 2000

interface SaveQuestionProps {
  hit: SearchHit
  question: string
  onClose: () => void
}

/** Saves a question for evaluations, with the answer in a passage as the expected text, and its source as the expected source. */
export function SaveQuestion({ hit, question, onClose }: SaveQuestionProps) {
  const messages = useMessages(playgroundMessages)
  const { save } = useMessages(sharedMessages)
  const { client, organization } = useWorkspace()
  const form = useForm({ question, expectedText: bestAnswer(hit)?.trim().slice(0, maxExpectedText) ?? '', note: '' })
  const change = useChange(
    ({ expectedText, ...rest }: typeof form.values) =>
      client.bases.questions.create(hit.baseId, {
        ...rest,
        expectedSourceIds: [hit.sourceId],
        expectedText: expectedText.trim() === '' ? null : expectedText,
      }),
    {
      invalidates: () => [[organization.id, 'bases', hit.baseId, 'questions']],
      done: messages.saved,
      refusals: { conflict: messages.tooManyQuestions },
      notifyFailure: false,
      onDone: onClose,
    },
  )
  return (
    <FormDialog
      title={messages.saveTitle}
      onClose={onClose}
      {...sentBy(form, change)}
      action={save}
      fields={['question', 'expectedText', 'note']}
    >
      <Text size="sm" c="dimmed">
        {messages.saveHelp}
      </Text>
      <Textarea label={messages.question} {...form.text('question')} maxLength={4000} autosize required data-autofocus />
      <TextInput label={messages.expectedSource} value={hit.sourceName} readOnly />
      <Textarea
        label={messages.expectedText}
        description={messages.expectedTextHelp}
        {...form.text('expectedText')}
        maxLength={maxExpectedText}
        autosize
      />
      <TextInput label={messages.note} {...form.text('note')} maxLength={2000} />
    </FormDialog>
  )
}
