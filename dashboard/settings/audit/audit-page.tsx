import type { AuditEntry } from '@groundwork/api'
import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconFilter, IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useWorkspace } from '../../lib/workspace.ts'
import type { Column } from '../../shell/data-table.tsx'
import { Page } from '../../shell/page.tsx'
import { PagedTable } from '../../shell/paged-table.tsx'
import { RequestId } from '../../shell/request-id.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { auditLabel } from '../label.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditSentence, AuditTarget } from './entry.tsx'
import type { AuditFilter } from './filter.ts'
import { auditQuery } from './queries.ts'
import { auditMessages } from './messages.ts'

const route = getRouteApi('/$organization/settings/audit')

export function AuditPage() {
  const title = useMessages(auditLabel)
  const messages = useMessages(auditMessages)
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const set = (part: AuditFilter): void => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  const query = useInfiniteQuery({ ...auditQuery(useWorkspace(), filter), placeholderData: keepPreviousData })
  const columns = useColumns((target) => set({ target }))
  return (
    <Page guide="audit" title={title} description={messages.about}>
      <AuditFilters filter={filter} set={set} reset={() => void navigate({ search: {}, replace: true })} />
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={IconHistory} title={messages.emptyTitle}>
            {messages.emptyHelp}
          </EmptyState>
        }
        label={title}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ action }) => messages.actions[action]}
      />
    </Page>
  )
}

function useColumns(show: (target: string) => void): Column<AuditEntry>[] {
  const messages = useMessages(auditMessages)
  const { columns } = messages
  return [
    { key: 'activity', header: columns.activity, cell: (entry) => <AuditSentence entry={entry} /> },
    { key: 'target', header: columns.target, cell: (entry) => <Target entry={entry} show={show} /> },
    {
      key: 'address',
      header: columns.address,
      cell: ({ address, requestId }) => (
        <>
          {address ?? ''}
          {requestId !== null && (
            <Text size="xs" c="dimmed">
              <RequestId id={requestId} />
            </Text>
          )}
        </>
      ),
    },
    { key: 'time', header: columns.time, cell: ({ createdAt }) => <RelativeTime at={createdAt} />, align: 'right' },
  ]
}

function Target({ entry, show }: { entry: AuditEntry; show: (target: string) => void }) {
  const messages = useMessages(auditMessages)
  const shared = useMessages(sharedMessages)
  const { targetId, targetName } = entry
  if (targetId === '') return shared.none
  return (
    <Group gap={4} wrap="nowrap" justify="space-between">
      <AuditTarget entry={entry} />
      <Tooltip label={messages.show}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          onClick={() => show(targetId)}
          aria-label={`${messages.show}: ${targetName ?? targetId}`}
        >
          <IconFilter size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
