import type { Source } from '@groundwork/api'
import { Badge } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { number } from '../lib/formats.ts'
import { rowsOf } from '../lib/pages.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { DataTable, type Column } from '../shell/data-table.tsx'
import { Page } from '../shell/page.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { EmptyState, ErrorState, Loaded, SkeletonRows } from '../shell/states.tsx'
import { useWords } from '../words/words.ts'
import { baseQuery, sourcesQuery } from './queries.ts'
import { knowledgeWords } from './words.ts'

const route = getRouteApi('/$organization/knowledge/$baseId')

export function BasePage() {
  const words = useWords(knowledgeWords)
  const workspace = useWorkspace()
  const { baseId } = route.useParams()
  const base = useQuery(baseQuery(workspace, baseId))
  const sources = useInfiniteQuery(sourcesQuery(workspace, baseId))
  const columns = useColumns()
  const crumbs = [{ label: words.title, to: '/$organization/knowledge' }] as const
  if (base.data === undefined && base.error !== null) {
    return (
      <Page title={words.title} crumbs={crumbs}>
        <ErrorState error={base.error} again={() => void base.refetch()} busy={base.isFetching} />
      </Page>
    )
  }
  return (
    <Page title={base.data?.name ?? '…'} description={base.data?.description} crumbs={crumbs}>
      <Loaded query={sources} skeleton={<SkeletonRows />}>
        {(data) =>
          rowsOf(data).length === 0 ? (
            <EmptyState icon={IconFileText} title={words.noSourcesTitle}>
              {words.noSourcesHelp}
            </EmptyState>
          ) : (
            <DataTable
              label={words.sourceColumns.source}
              columns={columns}
              rows={rowsOf(data)}
              idOf={({ id }) => id}
              nameOf={({ name }) => name}
              more={sources}
            />
          )
        }
      </Loaded>
    </Page>
  )
}

function useColumns(): Column<Source>[] {
  const { sourceColumns: columns, types, statuses } = useWords(knowledgeWords)
  return [
    { key: 'source', header: columns.source, cell: ({ name }) => name },
    { key: 'type', header: columns.type, cell: ({ type }) => types[type] },
    { key: 'status', header: columns.status, cell: ({ status }) => <Badge variant="light">{statuses[status]}</Badge> },
    { key: 'chunks', header: columns.chunks, cell: ({ chunksCount }) => number(chunksCount), align: 'right' },
    { key: 'updated', header: columns.updated, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />, align: 'right' },
  ]
}
