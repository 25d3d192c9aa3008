import { Badge, Progress, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { exactTime, number, percent } from '../lib/formats.ts'
import { rowsOf } from '../lib/pages.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { DataTable, type Column } from '../shell/data-table.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { ReasonedButton } from '../shell/reasoned-button.tsx'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { Expected } from './expected.tsx'
import { PartHead } from './part-head.tsx'
import { baseKey, evaluationQuery, evaluationsQuery, questionsQuery } from './queries.ts'
import { Questions } from './questions.tsx'
import type { Evaluation, EvaluationResult } from './records.ts'
import { knowledgeMessages } from './messages.ts'

const EvaluationChart = lazy(() => import('./evaluation-chart.tsx'))

const route = getRouteApi('/$organization/knowledge/$baseId/evaluation')

/** Evaluation runs, their results and the saved questions. */
export function EvaluationPage() {
  const { evaluation: words } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const { baseId } = route.useParams()
  const { run } = route.useSearch()
  const query = useQuery(evaluationsQuery(workspace, baseId))
  const mayWrite = useMay('evaluations:write')
  const start = useChange(() => workspace.client.bases.evaluations.create(baseId, {}), {
    invalidates: () => [[...baseKey(workspace, baseId), 'evaluations']],
    done: words.started,
    refusals: { conflict: words.noQuestions },
  })
  const questions = useInfiniteQuery(questionsQuery(workspace, baseId))
  const columns = useColumns()
  return (
    <Stack gap="lg">
      <PartHead about={words.about}>
        {mayWrite && (
          <ReasonedButton
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={start.isPending}
            onClick={() => start.mutate()}
            reason={questions.data !== undefined && rowsOf(questions.data).length === 0 ? words.noQuestions : undefined}
          >
            {words.run}
          </ReasonedButton>
        )}
      </PartHead>
      <Title order={2}>{words.results}</Title>
      <Loaded query={query} skeleton={<SkeletonRows rows={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.noResults}
            </Text>
          ) : (
            <>
              {data.filter(({ status }) => status === 'completed').length > 1 && (
                <Suspense fallback={<SkeletonRows rows={1} height={240} />}>
                  <EvaluationChart evaluations={data} />
                </Suspense>
              )}
              <DataTable
                label={words.results}
                columns={columns}
                rows={data}
                idOf={({ id }) => id}
                nameOf={({ createdAt }) => exactTime(createdAt)}
              />
            </>
          )
        }
      </Loaded>
      {run !== undefined && <Results baseId={baseId} evaluationId={run} />}
      <Questions baseId={baseId} />
    </Stack>
  )
}

const colors = { queued: 'gray', running: 'blue', completed: 'green', failed: 'red' } as const

function useColumns(): Column<Evaluation>[] {
  const { evaluation: words, progress: progressText } = useMessages(knowledgeMessages)
  const { none } = useMessages(sharedMessages)
  const { columns } = words
  const percentOrNone = (value: number | null): string => (value === null ? none : percent(value))
  return [
    {
      key: 'run',
      header: columns.run,
      cell: ({ id, createdAt, note }) => (
        <>
          <Link className="row-link" from={route.id} search={{ run: id }} replace>
            <RelativeTime at={createdAt} />
          </Link>
          {note !== '' && (
            <Text size="xs" c="dimmed">
              {note}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'status',
      header: columns.status,
      width: 200,
      cell: ({ status, progress, error }) => (
        <>
          <Badge variant="light" color={colors[status]}>
            {words.statuses[status]}
          </Badge>
          {status === 'running' && (
            <Progress
              mt={4}
              value={progress.total === 0 ? 0 : (progress.done / progress.total) * 100}
              aria-label={progressText(number(progress.done), number(progress.total))}
            />
          )}
          {error !== null && <Text size="xs">{error}</Text>}
        </>
      ),
    },
    {
      key: 'found',
      header: columns.found,
      cell: ({ found, progress: { total } }) =>
        found === null || total === 0 ? none : words.foundOf(percent(found / total), number(found), number(total)),
      align: 'right',
    },
    { key: 'recall', header: columns.recall, cell: ({ recall }) => percentOrNone(recall), align: 'right' },
    { key: 'mrr', header: columns.mrr, cell: ({ mrr }) => percentOrNone(mrr), align: 'right' },
    {
      key: 'changes',
      header: columns.changes,
      cell: ({ changes }) => (changes === null ? none : words.changes(changes.better, changes.worse)),
      align: 'right',
    },
  ]
}

function Results({ baseId, evaluationId }: { baseId: string; evaluationId: string }) {
  const { evaluation: words } = useMessages(knowledgeMessages)
  const query = useQuery(evaluationQuery(useWorkspace(), baseId, evaluationId))
  const columns = useResultColumns(baseId)
  return (
    <Loaded query={query} skeleton={<SkeletonRows />}>
      {({ createdAt, results }) => (
        <Stack gap="sm">
          <Title order={2}>{words.of(exactTime(createdAt))}</Title>
          <DataTable
            label={words.of(exactTime(createdAt))}
            columns={columns}
            rows={missesFirst(results)}
            idOf={({ questionId }) => questionId}
            nameOf={({ question }) => question}
          />
        </Stack>
      )}
    </Loaded>
  )
}

/** Questions without a right passage come first, then those whose right passage has the lowest rank. */
const missesFirst = (results: readonly EvaluationResult[]): EvaluationResult[] => {
  const depth = ({ rank }: EvaluationResult): number => rank ?? Number.MAX_VALUE
  return results.toSorted((a, b) => depth(b) - depth(a))
}

const changeColors = { better: 'green', worse: 'red', same: 'gray', new: 'blue' } as const

function useResultColumns(baseId: string): Column<EvaluationResult>[] {
  const { evaluation: words } = useMessages(knowledgeMessages)
  const { none } = useMessages(sharedMessages)
  const { resultColumns: columns } = words
  return [
    { key: 'question', header: columns.question, cell: ({ question }) => question },
    { key: 'expected', header: columns.expected, cell: (result) => <Expected baseId={baseId} expectation={result} /> },
    { key: 'rank', header: columns.rank, cell: ({ rank }) => (rank === null ? words.notFound : number(rank)), align: 'right' },
    {
      key: 'before',
      header: columns.before,
      cell: ({ previousRank }) => (previousRank === null ? none : number(previousRank)),
      align: 'right',
    },
    {
      key: 'change',
      header: columns.change,
      cell: ({ change }) =>
        change === null ? (
          none
        ) : (
          <Badge variant="light" color={changeColors[change]}>
            {words.changed[change]}
          </Badge>
        ),
    },
    { key: 'score', header: columns.score, cell: ({ bestScore }) => (bestScore === null ? none : percent(bestScore)), align: 'right' },
  ]
}
