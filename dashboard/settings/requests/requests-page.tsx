import type { ApiRequest } from '@groundwork/api'
import { Badge, Text } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { number } from '../../lib/formats.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import type { Column } from '../../shell/data-table.tsx'
import { Page } from '../../shell/page.tsx'
import { PagedTable } from '../../shell/paged-table.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { useMessages } from '../../messages/messages.ts'
import { requestsLabel } from '../label.ts'
import type { RequestFilter } from './filter.ts'
import { requestMessages } from './messages.ts'
import { requestsQuery } from './queries.ts'
import { RequestFilters } from './request-filters.tsx'

const route = getRouteApi('/$organization/settings/requests')

const refetchMs = 3_000

export function RequestsPage() {
  const title = useMessages(requestsLabel)
  const messages = useMessages(requestMessages)
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const set = (part: RequestFilter): void => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  const query = useInfiniteQuery({
    ...requestsQuery(useWorkspace(), filter),
    placeholderData: keepPreviousData,
    // Further pages would be fetched again with the first one.
    refetchInterval: ({ state: { data } }) => ((data?.pages.length ?? 0) > 1 ? false : refetchMs),
  })
  return (
    <Page guide="requests" title={title} description={messages.about}>
      <RequestFilters filter={filter} set={set} reset={() => void navigate({ search: {}, replace: true })} />
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={IconArrowsExchange} title={messages.emptyTitle}>
            {messages.emptyHelp}
          </EmptyState>
        }
        label={title}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={({ method, path }) => `${method} ${path}`}
      />
    </Page>
  )
}

function useColumns(): Column<ApiRequest>[] {
  const messages = useMessages(requestMessages)
  const { columns } = messages
  return [
    {
      key: 'request',
      header: columns.request,
      cell: ({ method, path, id }) => (
        <>
          <Text size="sm" className="wrap">
            <b>{method}</b> {path}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace" className="wrap">
            {id}
          </Text>
        </>
      ),
    },
    { key: 'status', header: columns.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: 'caller',
      header: columns.caller,
      cell: ({ actor: { type, name, hint } }) => (type === 'token' ? messages.token(name, hint) : messages.user(name)),
    },
    { key: 'duration', header: columns.duration, cell: ({ durationMs }) => messages.ms(number(durationMs)), align: 'right' },
    { key: 'time', header: columns.time, cell: ({ createdAt }) => <RelativeTime at={createdAt} />, align: 'right' },
  ]
}

function StatusBadge({ status }: { status: number }) {
  return (
    <Badge variant="light" color={status < 400 ? 'green' : status < 500 ? 'yellow' : 'red'}>
      {status}
    </Badge>
  )
}
