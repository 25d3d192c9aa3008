import type { ContactImport } from '@groundwork/api'
import { Stack, Title } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { rowsOf } from '../../lib/pages.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { DataTable, type Column } from '../../shell/data-table.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../shell/states.tsx'
import { ImportStatus } from './import-status.tsx'
import { importMessages } from './messages.ts'
import { hasEnded, importsQuery } from './queries.ts'

/** Lists imports with their results, without dry runs. */
export function FormerImports() {
  const messages = useMessages(importMessages)
  const query = useInfiniteQuery(importsQuery(useWorkspace()))
  const columns = useColumns()
  return (
    <Stack component="section" gap="sm" aria-label={messages.former}>
      <Title order={2}>{messages.former}</Title>
      <Loaded query={query} skeleton={<SkeletonRows rows={3} />}>
        {(data) => {
          const rows = rowsOf(data).filter(({ dryRun }) => !dryRun)
          return rows.length === 0 && !query.hasNextPage ? (
            <EmptyState icon={IconFileImport} title={messages.noneYet}>
              {messages.noneYetHelp}
            </EmptyState>
          ) : (
            <DataTable
              label={messages.former}
              columns={columns}
              rows={rows}
              idOf={({ id }) => id}
              nameOf={({ fileName }) => fileName}
              more={query}
            />
          )
        }}
      </Loaded>
    </Stack>
  )
}

function useColumns(): Column<ContactImport>[] {
  const messages = useMessages(importMessages)
  const { none } = useMessages(sharedMessages)
  const { columns } = messages
  return [
    { key: 'file', header: columns.file, cell: (record) => <ImportLink record={record} /> },
    { key: 'status', header: columns.status, cell: ({ status }) => <ImportStatus status={status} />, width: 130 },
    { key: 'result', header: columns.result, cell: (record) => (hasEnded(record) ? messages.result(record.counts) : none) },
    { key: 'created', header: columns.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} />, align: 'right' },
  ]
}

function ImportLink({ record: { id, fileName } }: { record: ContactImport }) {
  const { organization } = useWorkspace()
  const { unnamed } = useMessages(importMessages)
  return (
    <Link
      className="row-link wrap"
      to="/$organization/contacts/import/$importId"
      params={{ organization: organization.slug, importId: id }}
    >
      {fileName === '' ? unnamed : fileName}
    </Link>
  )
}
