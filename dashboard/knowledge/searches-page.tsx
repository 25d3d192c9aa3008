import { Badge, Box, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconChecks, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { number, percent } from '../lib/formats.ts'
import { oneOf } from '../lib/search-params.ts'
import { useWorkspace } from '../lib/workspace.ts'
import type { Column } from '../shell/data-table.tsx'
import { DayInput, SearchInput } from '../shell/filter-inputs.tsx'
import { FilterPanel } from '../shell/list/filter-panel.tsx'
import { ListTable } from '../shell/list/list-table.tsx'
import { columnSort, localRows } from '../shell/list/local-rows.ts'
import { RelativeTime } from '../shell/relative-time.tsx'
import { EmptyState } from '../shell/states.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { baseQuery, retrievalsQuery, unansweredQuery } from './queries.ts'
import type { Retrieval, UnansweredQuestion } from './records.ts'
import { defaultRetrievalSort, retrievalSorts, unansweredSorts, type SearchLogFilter } from './search-log-filter.ts'
import { knowledgeMessages } from './messages.ts'

const route = getRouteApi('/$organization/knowledge/$baseId/searches')

/** Lists logged searches and unanswered questions. */
export function SearchesPage() {
  const { searches: words } = useMessages(knowledgeMessages)
  const { baseId } = route.useParams()
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const set = (part: SearchLogFilter): void => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  const setSort = (next: string): void => {
    const order = show === 'all' ? oneOf(retrievalSorts, next) : oneOf(unansweredSorts, next)
    set({ sort: order === defaultRetrievalSort ? undefined : order })
  }
  const { data: base } = useQuery(baseQuery(useWorkspace(), baseId))
  const { show, q, from, until, sort } = filter
  return (
    <Stack gap="sm">
      {base?.retrievalLog.enabled === false && <Text size="sm">{words.off}</Text>}
      <Group gap="sm">
        <SegmentedControl
          aria-label={words.filter}
          data={[
            { value: 'unanswered', label: words.unanswered },
            { value: 'all', label: words.all },
          ]}
          value={show ?? 'unanswered'}
          // The lists have different orders.
          onChange={(value) => set({ show: value === 'all' ? 'all' : undefined, sort: undefined })}
          w="fit-content"
          maw="100%"
        />
        <Box flex="1 1 280px">
          <FilterPanel
            active={[from, until].filter((value) => value !== undefined).length}
            search={<SearchInput label={words.search} value={q} onChange={(text) => set({ q: text })} />}
            orders={
              show === 'all'
                ? { labels: words.orders, value: oneOf(retrievalSorts, sort) ?? defaultRetrievalSort, onChange: setSort }
                : { labels: words.sorts, value: oneOf(unansweredSorts, sort) ?? '-times', onChange: setSort }
            }
          >
            <Group gap="sm">
              <DayInput label={words.from} value={from} onChange={(day) => set({ from: day })} />
              <DayInput label={words.until} value={until} onChange={(day) => set({ until: day })} />
            </Group>
          </FilterPanel>
        </Box>
      </Group>
      {show === 'all' ? (
        <AllSearches baseId={baseId} filter={filter} onSort={setSort} />
      ) : (
        <UnansweredQuestions baseId={baseId} filter={filter} onSort={setSort} />
      )}
    </Stack>
  )
}

interface ListProps {
  baseId: string
  filter: SearchLogFilter
  onSort: (sort: string) => void
}

const isFiltered = ({ q, from, until }: SearchLogFilter): boolean => [q, from, until].some((value) => value !== undefined)

function NoMatch() {
  const { searches: words } = useMessages(knowledgeMessages)
  return (
    <EmptyState icon={IconSearch} title={words.noneFound}>
      {words.noneFoundHelp}
    </EmptyState>
  )
}

function UnansweredQuestions({ baseId, filter, onSort }: ListProps) {
  const { searches: words } = useMessages(knowledgeMessages)
  const query = useInfiniteQuery({ ...unansweredQuery(useWorkspace(), baseId, filter), placeholderData: keepPreviousData })
  const columns = useUnansweredColumns(baseId, filter, onSort)
  const empty = (
    <EmptyState icon={IconChecks} title={words.noneTitle}>
      {words.noneHelp}
    </EmptyState>
  )
  return (
    <ListTable
      query={query}
      local={(rows) =>
        localRows(rows, { ...filter, sort: oneOf(unansweredSorts, filter.sort) }, { textOf: ({ question }) => question, orders })
      }
      empty={isFiltered(filter) ? <NoMatch /> : empty}
      label={words.unanswered}
      columns={columns}
      idOf={({ question }) => question}
      nameOf={({ question }) => question}
    />
  )
}

const orders = {
  times: ({ times }: UnansweredQuestion) => times,
  score: ({ bestScore }: UnansweredQuestion) => bestScore,
  last: ({ lastAt }: UnansweredQuestion) => lastAt,
}

function useUnansweredColumns(baseId: string, { sort }: SearchLogFilter, onSort: (sort: string) => void): Column<UnansweredQuestion>[] {
  const { columns } = useMessages(knowledgeMessages).searches
  const score = useScore()
  const sortOf = (key: keyof typeof orders) => columnSort(key, sort, onSort, 'descending')
  return [
    { key: 'question', header: columns.question, cell: ({ question }) => <QuestionLink baseId={baseId} q={question} />, grows: true },
    { key: 'times', header: columns.times, cell: ({ times }) => number(times), align: 'right', width: 130, sort: sortOf('times') },
    { key: 'score', header: columns.score, cell: ({ bestScore }) => score(bestScore), align: 'right', width: 120, sort: sortOf('score') },
    {
      key: 'last',
      header: columns.last,
      cell: ({ lastAt }) => <RelativeTime at={lastAt} />,
      align: 'right',
      width: 150,
      sort: sortOf('last'),
    },
  ]
}

/** Leads to the playground with the question. */
function QuestionLink({ baseId, q }: { baseId: string; q: string }) {
  const { organization } = useWorkspace()
  return (
    <Link
      className="row-link cut"
      dir="auto"
      title={q}
      to="/$organization/playground"
      params={{ organization: organization.slug }}
      search={{ q, bases: [baseId] }}
    >
      {q}
    </Link>
  )
}

function AllSearches({ baseId, filter, onSort }: ListProps) {
  const { searches: words } = useMessages(knowledgeMessages)
  const query = useInfiniteQuery({ ...retrievalsQuery(useWorkspace(), baseId, filter), placeholderData: keepPreviousData })
  const columns = useColumns(baseId, filter.sort ?? defaultRetrievalSort, onSort)
  const empty = (
    <EmptyState icon={IconSearch} title={words.emptyTitle}>
      {words.emptyHelp}
    </EmptyState>
  )
  return (
    <ListTable
      query={query}
      empty={isFiltered(filter) ? <NoMatch /> : empty}
      label={words.all}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ query: text }) => text}
    />
  )
}

function useColumns(baseId: string, sort: string, onSort: (sort: string) => void): Column<Retrieval>[] {
  const { columns, vias, unanswered } = useMessages(knowledgeMessages).searches
  const score = useScore()
  return [
    {
      key: 'question',
      header: columns.question,
      grows: true,
      cell: (search) => (
        <Group gap="xs" wrap="nowrap">
          <QuestionLink baseId={baseId} q={search.query} />
          {search.unanswered && (
            <Badge variant="light" color="yellow" flex="none">
              {unanswered}
            </Badge>
          )}
        </Group>
      ),
    },
    {
      key: 'score',
      header: columns.score,
      cell: ({ bestScore }) => score(bestScore),
      align: 'right',
      width: 120,
      sort: columnSort('bestScore', sort, onSort, 'descending'),
    },
    { key: 'passages', header: columns.passages, cell: ({ hits }) => number(hits.length), align: 'right', width: 100 },
    { key: 'via', header: columns.via, cell: ({ via }) => vias[via], width: 110 },
    {
      key: 'duration',
      header: columns.duration,
      cell: ({ timings }) => `${number(Math.round(timings.totalMs))} ms`,
      align: 'right',
      width: 110,
      sort: columnSort('totalMs', sort, onSort, 'descending'),
    },
    {
      key: 'time',
      header: columns.time,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      align: 'right',
      width: 150,
      sort: columnSort('createdAt', sort, onSort, 'descending'),
    },
  ]
}

function useScore(): (score: number | null) => string {
  const { none } = useMessages(sharedMessages)
  return (score) => (score === null ? none : percent(score))
}
