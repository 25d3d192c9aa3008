import { Button, Group, Menu, MultiSelect, Stack, Text, Textarea, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconQuestionMark } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { shownAtMost, sourceChoicesQuery } from '../lib/choices.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { useConfirm } from '../shell/confirm.tsx'
import type { Column } from '../shell/data-table.tsx'
import { FormDialog } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { PagedTable } from '../shell/paged-table.tsx'
import { RowMenu } from '../shell/row-menu.tsx'
import { EmptyState } from '../shell/states.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { Expected } from './expected.tsx'
import { baseKey, questionsQuery } from './queries.ts'
import type { Question } from './records.ts'
import { knowledgeMessages } from './messages.ts'

/** The saved questions of a knowledge base. */
export function Questions({ baseId }: { baseId: string }) {
  const { evaluation: words } = useMessages(knowledgeMessages)
  const query = useInfiniteQuery(questionsQuery(useWorkspace(), baseId))
  const mayWrite = useMay('evaluations:write')
  const [edited, setEdited] = useState<Question>()
  const [editing, { open, close }] = useDisclosure()
  const edit = (question?: Question): void => {
    setEdited(question)
    open()
  }
  const columns: Column<Question>[] = [
    { key: 'question', header: words.question, cell: ({ question }) => question },
    {
      key: 'expected',
      header: words.expected,
      cell: ({ note, ...expectation }) => (
        <>
          <Expected baseId={baseId} expectation={expectation} />
          {note !== '' && (
            <Text size="xs" c="dimmed">
              {note}
            </Text>
          )}
        </>
      ),
    },
  ]
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>{words.questions}</Title>
        {mayWrite && (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => edit()}>
            {words.add}
          </Button>
        )}
      </Group>
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={IconQuestionMark} title={words.noQuestionsTitle}>
            {words.noQuestionsHelp}
          </EmptyState>
        }
        label={words.questions}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ question }) => question}
        {...(mayWrite && { actions: (question: Question) => <QuestionMenu question={question} edit={() => edit(question)} /> })}
      />
      {editing && <EditQuestion baseId={baseId} question={edited} onClose={close} />}
    </Stack>
  )
}

function QuestionMenu({ question, edit }: { question: Question; edit: () => void }) {
  const { evaluation: words, sources } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const confirm = useConfirm()
  const remove = useChange(() => workspace.client.bases.questions.delete(question.baseId, question.id), {
    invalidates: () => [[...baseKey(workspace, question.baseId), 'questions']],
    done: words.deleted,
  })
  const ask = async (): Promise<void> => {
    if (await confirm({ title: words.deleteTitle(question.question), body: words.deleteHelp, action: words.delete })) remove.mutate()
  }
  return (
    <RowMenu label={sources.menu(question.question)}>
      <Menu.Item onClick={edit}>{words.edit}</Menu.Item>
      <Menu.Item c="var(--mantine-color-error)" onClick={() => void ask()}>
        {words.delete}
      </Menu.Item>
    </RowMenu>
  )
}

function EditQuestion({ baseId, question, onClose }: { baseId: string; question: Question | undefined; onClose: () => void }) {
  const { evaluation: words } = useMessages(knowledgeMessages)
  const { save } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const { data: sources = [] } = useQuery(sourceChoicesQuery(workspace, baseId))
  const form = useForm({
    question: question?.question ?? '',
    expectedText: question?.expectedText ?? '',
    expectedSourceIds: question?.expectedSourceIds ?? [],
    note: question?.note ?? '',
  })
  const change = useChange(
    (values: typeof form.values) => {
      const body = { ...values, expectedText: values.expectedText.trim() === '' ? null : values.expectedText }
      const api = workspace.client.bases.questions
      return question === undefined ? api.create(baseId, body) : api.update(baseId, question.id, body)
    },
    {
      invalidates: () => [[...baseKey(workspace, baseId), 'questions']],
      done: words.saved,
      refusals: { conflict: words.tooMany },
      notifyFailure: false,
      onDone: onClose,
    },
  )
  return (
    <FormDialog
      title={question === undefined ? words.add : words.edit}
      onClose={onClose}
      {...sentBy(form, change)}
      action={save}
      fields={['question', 'expectedText', 'expectedSourceIds', 'note']}
    >
      <Textarea label={words.question} {...form.text('question')} autosize required data-autofocus />
      <Textarea label={words.expectedText} description={words.expectedTextHelp} {...form.text('expectedText')} autosize />
      <MultiSelect
        label={words.expectedSources}
        data={sources.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.field('expectedSourceIds')}
        searchable
        limit={shownAtMost}
      />
      <Textarea label={words.note} {...form.text('note')} autosize />
    </FormDialog>
  )
}
