import type { Base } from './records.ts'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBooks, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { bytes, number } from '../lib/formats.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import type { Column } from '../shell/data-table.tsx'
import { Page } from '../shell/page.tsx'
import { PagedTable } from '../shell/paged-table.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { EmptyState } from '../shell/states.tsx'
import { useCreateRequest } from '../shell/use-create-request.ts'
import { useMessages } from '../messages/messages.ts'
import { basesQuery } from './queries.ts'
import { knowledgeMessages } from './messages.ts'

const AddSample = lazy(() => import('./sample/add-sample.tsx'))
const CreateBase = lazy(() => import('./create-base.tsx'))

function BaseLink({ id, name }: { id: string; name: string }) {
  const { organization } = useWorkspace()
  return (
    <Link className="row-link" dir="auto" to="/$organization/knowledge/$baseId" params={{ organization: organization.slug, baseId: id }}>
      {name}
    </Link>
  )
}

export function BasesPage() {
  const messages = useMessages(knowledgeMessages)
  const query = useInfiniteQuery(basesQuery(useWorkspace()))
  const columns = useColumns()
  const mayWrite = useMay('bases:write')
  const [creating, { open, close }] = useDisclosure()
  useCreateRequest(open)
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {messages.newBase}
    </Button>
  )
  return (
    <Page guide="sources" title={messages.title} description={messages.about} actions={create}>
      <PagedTable
        query={query}
        empty={
          <EmptyState
            icon={IconBooks}
            title={messages.emptyTitle}
            action={
              mayWrite && (
                <Suspense>
                  <AddSample />
                </Suspense>
              )
            }
          >
            {messages.emptyHelp}
          </EmptyState>
        }
        label={messages.title}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
      />
      <Suspense>{creating && <CreateBase onClose={close} />}</Suspense>
    </Page>
  )
}

function Sources({ stats: { sources, processing, failed } }: Pick<Base, 'stats'>) {
  const { figures } = useMessages(knowledgeMessages)
  return (
    <>
      {number(sources)}
      {processing + failed > 0 && (
        <Text size="xs" c="dimmed">
          {figures.sourcesDetail(sources - processing - failed, processing, failed)}
        </Text>
      )}
    </>
  )
}

function useColumns(): Column<Base>[] {
  const { columns } = useMessages(knowledgeMessages)
  return [
    { key: 'base', header: columns.base, cell: ({ id, name }) => <BaseLink id={id} name={name} /> },
    { key: 'sources', header: columns.sources, cell: ({ stats }) => <Sources stats={stats} />, align: 'right' },
    { key: 'chunks', header: columns.chunks, cell: ({ stats }) => number(stats.chunks), align: 'right' },
    { key: 'size', header: columns.size, cell: ({ stats }) => bytes(stats.bytes), align: 'right' },
    { key: 'updated', header: columns.updated, cell: ({ stats }) => <RelativeTime at={stats.lastUpdatedAt} />, align: 'right' },
  ]
}
