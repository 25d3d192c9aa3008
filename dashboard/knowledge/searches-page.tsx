import { Badge, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconChecks, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { number, percent } from '../lib/formats.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { DataTable, type Column } from '../shell/data-table.tsx'
import { PagedTable } from '../shell/paged-table.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../shell/states.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { baseQuery, retrievalsQuery, unansweredQuery } from './queries.ts'
import type { Retrieval, UnansweredQuestion } from './records.ts'
import { knowledgeMessages } from './messages.ts'

const route = getRouteApi('/$organization/knowledge/$baseId/searches')

/** Lists logged searches and unanswered questions. */
export function SearchesPage() {
  const { searches: words } = useMessages(knowledgeMessages)
  const { baseId } = route.useParams()
  const { show } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: base } = useQuery(baseQuery(useWorkspace(), baseId))
  return (
    <Stack gap="sm">
      {base?.retrievalLog.enabled === false && <Text size="sm">{words.off}</Text>}
      <SegmentedControl
        aria-label={words.filter}
        data={[
          { value: 'unanswered', label: words.unanswered },
          { value: 'all', label: words.all },
        ]}
        value={show ?? 'unanswered'}
        onChange={(value) => void navigate({ search: { show: value === 'all' ? 'all' : undefined }, replace: true })}
        w="fit-content"
        maw="100%"
      />
      {show === 'all' ? <AllSearches baseId={baseId} /> : <UnansweredQuestions baseId={baseId} />}
    </Stack>
  )
}

function UnansweredQuestions({ baseId }: { baseId: string }) {
  const { searches: words } = useMessages(knowledgeMessages)
  const query = useQuery(unansweredQuery(useWorkspace(), baseId))
  const columns = useUnansweredColumns()
  return (
    <Loaded query={query} skeleton={<SkeletonRows />}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState icon={IconChecks} title={words.noneTitle}>
            {words.noneHelp}
          </EmptyState>
        ) : (
          <DataTable
            label={words.unanswered}
            columns={columns}
            rows={data}
            idOf={({ question }) => question}
            nameOf={({ question }) => question}
          />
        )
      }
    </Loaded>
  )
}

function useUnansweredColumns(): Column<UnansweredQuestion>[] {
  const { columns } = useMessages(knowledgeMessages).searches
  const score = useScore()
  return [
    { key: 'question', header: columns.question, cell: ({ question }) => question },
    { key: 'times', header: columns.times, cell: ({ times }) => number(times), align: 'right', width: 120 },
    { key: 'score', header: columns.score, cell: ({ bestScore }) => score(bestScore), align: 'right', width: 120 },
    { key: 'last', header: columns.last, cell: ({ lastAt }) => <RelativeTime at={lastAt} />, align: 'right', width: 150 },
  ]
}

function AllSearches({ baseId }: { baseId: string }) {
  const { searches: words } = useMessages(knowledgeMessages)
  const query = useInfiniteQuery(retrievalsQuery(useWorkspace(), baseId))
  const columns = useColumns()
  return (
    <PagedTable
      query={query}
      empty={
        <EmptyState icon={IconSearch} title={words.emptyTitle}>
          {words.emptyHelp}
        </EmptyState>
      }
      label={words.all}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ query: text }) => text}
    />
  )
}

function useColumns(): Column<Retrieval>[] {
  const { columns, vias, unanswered } = useMessages(knowledgeMessages).searches
  const score = useScore()
  return [
    {
      key: 'question',
      header: columns.question,
      cell: (search) => (
        <>
          {search.query}{' '}
          {search.unanswered && (
            <Badge variant="light" color="yellow">
              {unanswered}
            </Badge>
          )}
        </>
      ),
    },
    { key: 'score', header: columns.score, cell: ({ bestScore }) => score(bestScore), align: 'right', width: 110 },
    { key: 'passages', header: columns.passages, cell: ({ hits }) => number(hits.length), align: 'right', width: 100 },
    { key: 'via', header: columns.via, cell: ({ via }) => vias[via], width: 90 },
    {
      key: 'duration',
      header: columns.duration,
      cell: ({ timings }) => `${number(Math.round(timings.totalMs))} ms`,
      align: 'right',
      width: 100,
    },
    { key: 'time', header: columns.time, cell: ({ createdAt }) => <RelativeTime at={createdAt} />, align: 'right', width: 150 },
  ]
}

function useScore(): (score: number | null) => string {
  const { none } = useMessages(sharedMessages)
  return (score) => (score === null ? none : percent(score))
}
