import '@mantine/core/styles/Table.css'
import { Badge, Button, Group, Paper, Progress, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { number, percent } from '../lib/formats.ts'
import { rowsOf } from '../lib/pages.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { useConfirm } from '../shell/confirm.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { baseKey, questionsQuery } from './queries.ts'
import type { Reindex } from './records.ts'
import { knowledgeMessages } from './messages.ts'

const colors = { building: 'blue', ready: 'yellow', switched: 'green', rolled_back: 'gray', cancelled: 'gray', failed: 'red' } as const

/** Shows the progress, the comparison and the actions of a re-index. */
export function ReindexCard({ reindex }: { reindex: Reindex }) {
  const { reindex: words } = useMessages(knowledgeMessages)
  const { status, progress, error, createdAt, rollbackUntil } = reindex
  return (
    <Paper withBorder p="md" component="article" aria-label={words.statuses[status]}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm">
            <Badge variant="light" color={colors[status]}>
              {words.statuses[status]}
            </Badge>
            <Text size="sm" c="dimmed">
              <RelativeTime at={createdAt} />
            </Text>
          </Group>
          <Actions reindex={reindex} />
        </Group>
        {status === 'building' && (
          <div>
            <Progress
              value={progress.sources === 0 ? 0 : ((progress.done + progress.failed) / progress.sources) * 100}
              aria-label={words.statuses.building}
            />
            <Text size="xs" c="dimmed" role="status">
              {words.progress(number(progress.done), number(progress.sources))}
            </Text>
          </div>
        )}
        {error !== null && (
          <Text size="sm" c="var(--mantine-color-error)">
            {words.failedHelp}
          </Text>
        )}
        {progress.failed > 0 && <Text size="sm">{words.failed(progress.failed)}</Text>}
        <Comparison reindex={reindex} />
        {rollbackUntil !== null && (
          <Text size="xs" c="dimmed">
            {words.until} <RelativeTime at={rollbackUntil} />
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function Comparison({ reindex: { baseId, status, settings, comparison } }: { reindex: Reindex }) {
  const { reindex: words, settings: settingsWords } = useMessages(knowledgeMessages)
  const { none } = useMessages(sharedMessages)
  const { before, after, evaluation } = comparison
  const questions = useInfiniteQuery({ ...questionsQuery(useWorkspace(), baseId), enabled: evaluation === null })
  const hasQuestions = questions.data === undefined || rowsOf(questions.data).length > 0
  const noAnswers = hasQuestions ? (status === 'building' ? words.askedLater : words.notAsked) : words.noQuestions
  const percentOrNone = (value: number | undefined): string => (value === undefined ? none : percent(value))
  const rows: [string, string, string][] = [
    [words.strategy, settingsWords.strategies[settings.before.chunkingStrategy], settingsWords.strategies[settings.after.chunkingStrategy]],
    [words.size, number(settings.before.chunkSize), number(settings.after.chunkSize)],
    [words.overlap, number(settings.before.chunkOverlap), number(settings.after.chunkOverlap)],
    [words.model, settings.before.embeddingModels.join(', '), settings.after.embeddingModels.join(', ')],
    [words.chunks, number(before.chunks), number(after.chunks)],
    [words.meanTokens, lengthOf(before.meanTokens) ?? none, lengthOf(after.meanTokens) ?? none],
    ...(evaluation === null
      ? []
      : [
          [words.recall, percentOrNone(evaluation.before?.recall), percentOrNone(evaluation.after?.recall)] satisfies [
            string,
            string,
            string,
          ],
          [words.mrr, percentOrNone(evaluation.before?.mrr), percentOrNone(evaluation.after?.mrr)] satisfies [string, string, string],
        ]),
  ]
  return (
    <>
      <Table.ScrollContainer minWidth={320}>
        <Table aria-label={words.comparison} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.property}</Table.Th>
              <Table.Th>{words.before}</Table.Th>
              <Table.Th>{words.after}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(([name, ...values]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400}>
                  {name}
                </Table.Th>
                <Table.Td className="wrap">{values[0]}</Table.Td>
                <Table.Td className="wrap">{values[1]}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="sm" c="dimmed">
        {evaluation === null
          ? noAnswers
          : evaluation.error !== null
            ? words.evaluationFailed
            : words.answers(number(evaluation.better), number(evaluation.worse))}
      </Text>
    </>
  )
}

const lengthOf = (tokens: number | null): string | undefined => (tokens === null ? undefined : number(Math.round(tokens)))

function Actions({ reindex: { id, baseId, status, rollbackUntil, comparison } }: { reindex: Reindex }) {
  const { reindex: words } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const confirm = useConfirm()
  const mayWrite = useMay('bases:write')
  const api = workspace.client.bases.reindexes
  const options = { invalidates: () => [baseKey(workspace, baseId)], refusals: { conflict: words.statusChanged } }
  const switchIndex = useChange((force: boolean) => api.switch(baseId, id, { force }), { ...options, done: words.switched })
  const cancel = useChange(() => api.cancel(baseId, id), { ...options, done: words.cancelled })
  const rollback = useChange(() => api.rollback(baseId, id), { ...options, done: words.rolledBack })
  if (!mayWrite) return null
  const askToSwitch = async (): Promise<void> => {
    const force = isWorse(comparison.evaluation)
    if (force && !(await confirm({ title: words.switchWorse, body: words.switchWorseHelp, action: words.switchAnyway }))) return
    switchIndex.mutate(force)
  }
  const askToRollBack = async (): Promise<void> => {
    if (await confirm({ title: words.rollbackTitle, body: words.rollbackHelp, action: words.rollback })) rollback.mutate()
  }
  return (
    <Group gap="xs">
      {status === 'ready' && (
        <Button size="sm" loading={switchIndex.isPending} onClick={() => void askToSwitch()}>
          {words.switch}
        </Button>
      )}
      {(status === 'building' || status === 'ready') && (
        <Button size="sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {words.cancel}
        </Button>
      )}
      {status === 'switched' && rollbackUntil !== null && (
        <Button size="sm" variant="default" loading={rollback.isPending} onClick={() => void askToRollBack()}>
          {words.rollback}
        </Button>
      )}
    </Group>
  )
}

/** Returns whether the API requires `force` to switch. */
const isWorse = (evaluation: Reindex['comparison']['evaluation']): boolean =>
  evaluation?.before != null &&
  evaluation.after !== null &&
  (evaluation.after.recall < evaluation.before.recall || evaluation.after.mrr < evaluation.before.mrr)
