import type { SitePage, Source } from './records.ts'
import { Anchor, Badge, Text } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { number } from '../lib/formats.ts'
import { useWorkspace } from '../lib/workspace.ts'
import type { Column } from '../shell/data-table.tsx'
import { PagedTable } from '../shell/paged-table.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { EmptyState } from '../shell/states.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { sitePagesQuery } from './queries.ts'
import { knowledgeMessages } from './messages.ts'

const colors = { fetched: 'green', unchanged: 'green', skipped: 'gray', failed: 'red' } as const

/** Lists the pages of a website and their status. */
export default function SitePages({ source: { baseId, id } }: { source: Source }) {
  const { source: words } = useMessages(knowledgeMessages)
  const query = useInfiniteQuery(sitePagesQuery(useWorkspace(), baseId, id))
  const columns = useColumns()
  return (
    <PagedTable
      query={query}
      empty={
        <EmptyState icon={IconWorld} title={words.noPages}>
          {words.noPagesHelp}
        </EmptyState>
      }
      label={words.tabs.pages}
      columns={columns}
      idOf={(page) => page.id}
      nameOf={({ url }) => url}
    />
  )
}

function useColumns(): Column<SitePage>[] {
  const { source: words } = useMessages(knowledgeMessages)
  const { none } = useMessages(sharedMessages)
  const { pageColumns: columns, pageStatuses } = words
  return [
    {
      key: 'page',
      header: columns.page,
      cell: ({ title, url }) => (
        <>
          {title !== null && <Text size="sm">{title}</Text>}
          <Anchor size="xs" href={url} target="_blank" rel="noreferrer" className="wrap">
            {url}
          </Anchor>
        </>
      ),
    },
    {
      key: 'status',
      header: columns.status,
      width: 200,
      cell: ({ status, reason }) => (
        <>
          <Badge variant="light" color={colors[status]}>
            {pageStatuses[status]}
          </Badge>
          {reason !== null && (
            <Text size="xs" c="dimmed">
              {words.pageReasons[reason]}
            </Text>
          )}
        </>
      ),
    },
    { key: 'chunks', header: columns.chunks, cell: ({ chunks }) => number(chunks), align: 'right', width: 90 },
    {
      key: 'fetched',
      header: columns.fetched,
      cell: ({ fetchedAt }) => (fetchedAt === null ? none : <RelativeTime at={fetchedAt} />),
      align: 'right',
      width: 150,
    },
  ]
}
