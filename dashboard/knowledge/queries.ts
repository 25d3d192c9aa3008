import type { Evaluation, Source } from './records.ts'
import type { Page } from '@groundwork/sdk'
import { queryOptions, type InfiniteData, type QueryKey } from '@tanstack/react-query'
import { startOfDay } from '../lib/days.ts'
import { pagesOf, rowsOf } from '../lib/pages.ts'
import { oneOf } from '../lib/search-params.ts'
import type { Workspace } from '../lib/workspace.ts'
import { savedViewsQuery } from '../shell/list/saved-views.ts'
import { retrievalSorts, type SearchLogFilter } from './search-log-filter.ts'
import type { SourceFilter } from './source-filter.ts'

/** Events report stages only, so progress within a stage is polled. */
const progressPollMs = 1_500
/** Each loaded page of a list is a request, and there are at most two in a second. */
const pagePollMs = 500
const reindexPollMs = 2_000

export const basesQuery = ({ client, organization }: Workspace) =>
  pagesOf([organization.id, 'bases', 'list'], ({ query, signal }) => client.bases.list(query, { signal }).page())

export const baseQuery = ({ client, organization }: Workspace, baseId: string) =>
  queryOptions({
    queryKey: [organization.id, 'bases', baseId, 'base'],
    queryFn: ({ signal }) => client.bases.get(baseId, { signal }),
    refetchInterval: ({ state }) => (state.data?.reindexing?.status === 'building' ? reindexPollMs : false),
  })

export const sourcesQuery = ({ client, organization }: Workspace, baseId: string, filter: SourceFilter) => ({
  ...pagesOf([organization.id, 'bases', baseId, 'sources', 'list', filter], ({ query, signal }) =>
    client.bases.sources.list(baseId, { ...filter, ...query, limit: 100 }, { signal }).page(),
  ),
  refetchInterval: ({ state }: { state: { data: InfiniteData<Page<Source>> | undefined } }) =>
    state.data !== undefined && rowsOf(state.data).some(isProcessing)
      ? Math.max(progressPollMs, state.data.pages.length * pagePollMs)
      : (false as const),
})

const isProcessing = ({ status }: Source): boolean => status === 'processing'

export const sourceViewsKey = ({ organization }: Workspace): QueryKey => [organization.id, 'source-views']

export const sourceViewsQuery = (workspace: Workspace) => savedViewsQuery(sourceViewsKey(workspace), workspace.client.sourceViews.list)

export const sourceQuery = ({ client, organization }: Workspace, baseId: string, sourceId: string) =>
  queryOptions({
    queryKey: [organization.id, 'bases', baseId, 'sources', sourceId, 'source'],
    queryFn: ({ signal }) => client.bases.sources.get(baseId, sourceId, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? progressPollMs : false),
  })

export const contentQuery = ({ client, organization }: Workspace, baseId: string, sourceId: string) =>
  queryOptions({
    queryKey: [organization.id, 'bases', baseId, 'sources', sourceId, 'content'],
    queryFn: ({ signal }) => client.bases.sources.content(baseId, sourceId, { signal }),
  })

export const chunksQuery = ({ client, organization }: Workspace, baseId: string, sourceId: string) =>
  pagesOf([organization.id, 'bases', baseId, 'sources', sourceId, 'chunks'], ({ query, signal }) =>
    client.bases.sources.chunks.list(baseId, sourceId, { ...query, limit: 100 }, { signal }).page(),
  )

export const sitePagesQuery = ({ client, organization }: Workspace, baseId: string, sourceId: string) =>
  pagesOf([organization.id, 'bases', baseId, 'sources', sourceId, 'pages'], ({ query, signal }) =>
    client.bases.sources.pages.list(baseId, sourceId, { ...query, limit: 100 }, { signal }).page(),
  )

export const retrievalStatsQuery = ({ client, organization }: Workspace, baseId: string) =>
  queryOptions({
    queryKey: [organization.id, 'bases', baseId, 'retrieval-stats'],
    queryFn: ({ signal }) => client.bases.retrievals.stats(baseId, {}, { signal }),
  })

export const reindexesQuery = ({ client, organization }: Workspace, baseId: string) =>
  queryOptions({
    queryKey: [organization.id, 'bases', baseId, 'reindexes'],
    queryFn: ({ signal }) => client.bases.reindexes.list(baseId, { limit: 20 }, { signal }).page(),
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === 'building') === true ? reindexPollMs : false),
  })

/** The most frequent questions without a good answer, at most 100. */
export const unansweredQuery = ({ client, organization }: Workspace, baseId: string, { from, until }: SearchLogFilter) =>
  pagesOf([organization.id, 'bases', baseId, 'unanswered', from, until], async ({ signal }) => ({
    ...(await client.bases.unanswered(baseId, { limit: 100, ...timesOf({ from, until }) }, { signal })),
    nextCursor: null,
  }))

export const retrievalsQuery = ({ client, organization }: Workspace, baseId: string, { q, from, until, sort: given }: SearchLogFilter) => {
  const sort = oneOf(retrievalSorts, given)
  return pagesOf([organization.id, 'bases', baseId, 'retrievals', q, from, until, sort], ({ query, signal }) =>
    client.bases.retrievals.list(baseId, { ...query, q, sort, ...timesOf({ from, until }), limit: 100 }, { signal }).page(),
  )
}

const timesOf = ({ from, until }: SearchLogFilter) => ({
  ...(from !== undefined && { since: startOfDay(from, 0) }),
  ...(until !== undefined && { until: startOfDay(until, 1) }),
})

export const questionsQuery = ({ client, organization }: Workspace, baseId: string) =>
  pagesOf([organization.id, 'bases', baseId, 'questions'], ({ query, signal }) =>
    client.bases.questions.list(baseId, query, { signal }).page(),
  )

export const evaluationsQuery = ({ client, organization }: Workspace, baseId: string) =>
  queryOptions({
    queryKey: [organization.id, 'bases', baseId, 'evaluations', 'list'],
    queryFn: ({ signal }) => client.bases.evaluations.list(baseId, { limit: 50 }, { signal }).page(),
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) === true ? progressPollMs : false),
  })

const isRunning = ({ status }: Evaluation): boolean => status === 'queued' || status === 'running'

export const evaluationQuery = ({ client, organization }: Workspace, baseId: string, evaluationId: string) =>
  queryOptions({
    queryKey: [organization.id, 'bases', baseId, 'evaluations', evaluationId],
    queryFn: ({ signal }) => client.bases.evaluations.get(baseId, evaluationId, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isRunning(state.data) ? progressPollMs : false),
  })

/** The key prefix of all queries for one knowledge base. */
export const baseKey = ({ organization }: Workspace, baseId: string): QueryKey => [organization.id, 'bases', baseId]
/** The key prefix of all queries for knowledge bases. */
export const basesKey = ({ organization }: Workspace): QueryKey => [organization.id, 'bases']
/** The keys of the sources of a knowledge base and of the records that count them. */
export const sourcesKeys = ({ organization }: Workspace, baseId: string): readonly QueryKey[] => [
  [organization.id, 'bases', baseId, 'sources'],
  [organization.id, 'bases', baseId, 'base'],
  [organization.id, 'bases', 'list'],
]
