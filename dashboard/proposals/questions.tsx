import type { Proposal, ProposalQuestion } from '@groundwork/api'
import { Badge, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMay, useWorkspace, type Workspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import { useForm } from '../shell/form.ts'
import { RelativeTime } from '../shell/relative-time.tsx'
import { SaveForm } from '../shell/save-form.tsx'
import { proposalsKey } from './queries.ts'
import { questionMessages } from './question-messages.ts'

const questionsKey = (organizationId: string, proposalId: string) => [organizationId, ...proposalsKey, proposalId, 'questions'] as const

const questionsQuery = ({ client, organization }: Workspace, proposalId: string) =>
  queryOptions({
    queryKey: questionsKey(organization.id, proposalId),
    queryFn: ({ signal }) => client.proposals.questions.list(proposalId, { signal }),
  })

/** Shows the questions about a proposal with their answers, and forms to answer them. Shows nothing without questions. */
export function Questions({ proposal: { id, status } }: { proposal: Proposal }) {
  const messages = useMessages(questionMessages)
  const { data } = useQuery({ ...questionsQuery(useWorkspace(), id), enabled: status !== 'draft' })
  if (data === undefined || data.data.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.title}>
      <Stack>
        <Title order={2}>{messages.title}</Title>
        {data.data.map((question) => (
          <Question key={question.id} question={question} />
        ))}
      </Stack>
    </Paper>
  )
}

function Question({ question: record }: { question: ProposalQuestion }) {
  const messages = useMessages(questionMessages)
  const mayWrite = useMay('proposals:write')
  const { name, question, askedAt, answer, answeredAt, delivery } = record
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {messages.asked(name)} <RelativeTime at={askedAt} />
        </Text>
        {answer === null && (
          <Badge variant="light" color="yellow">
            {messages.unanswered}
          </Badge>
        )}
      </Group>
      <Text className="wrap" dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
        {question}
      </Text>
      {answer === null && mayWrite && <AnswerForm question={record} />}
      {answer !== null && answeredAt !== null && (
        <Stack gap={0} pl="md">
          <Text className="wrap" dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
            {answer}
          </Text>
          <Text size="sm" c="dimmed">
            {messages.answered} <RelativeTime at={answeredAt} />
            {delivery?.reason === 'do_not_contact' && ` · ${messages.doNotContact}`}
          </Text>
        </Stack>
      )}
    </Stack>
  )
}

function AnswerForm({ question: { id, proposalId, question } }: { question: ProposalQuestion }) {
  const messages = useMessages(questionMessages)
  const { client, organization } = useWorkspace()
  const form = useForm({ answer: '' })
  const change = useChange(({ answer }: typeof form.values) => client.proposals.questions.answer(proposalId, id, { answer }), {
    invalidates: () => [questionsKey(organization.id, proposalId)],
    done: messages.sent,
    notifyFailure: false,
  })
  return (
    <SaveForm form={form} change={change} fields={['answer']} mayWrite action={messages.send}>
      <Textarea
        label={messages.answer}
        aria-label={messages.answerLabel(question)}
        description={messages.answerHelp}
        {...form.text('answer')}
        maxLength={5000}
        autosize
        minRows={2}
      />
    </SaveForm>
  )
}
