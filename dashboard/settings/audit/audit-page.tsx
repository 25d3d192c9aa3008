import type { AuditEntry } from '@groundwork/api'
import { ActionIcon, Anchor, Group, Text, Tooltip } from '@mantine/core'
import { IconFilter, IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
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
    { key: 'activity', header: columns.activity, cell: (entry) => <Sentence entry={entry} /> },
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

function Sentence({ entry: { actor, action } }: { entry: AuditEntry }) {
  const messages = useMessages(auditMessages)
  const actorName = actor.name === null ? messages.actors[actor.type] : actor.type === 'token' ? messages.token(actor.name) : actor.name
  return (
    <Text size="sm">
      <Text span fw={500} size="sm">
        {actorName}
      </Text>{' '}
      {messages.actions[action]}
    </Text>
  )
}

function Target({ entry, show }: { entry: AuditEntry; show: (target: string) => void }) {
  const messages = useMessages(auditMessages)
  const shared = useMessages(sharedMessages)
  const { targetId, targetName } = entry
  const href = useTargetHref(entry)
  if (targetId === '') return shared.none
  const name = targetName ?? targetId
  return (
    <Group gap={4} wrap="nowrap" justify="space-between">
      {href === null ? (
        <Text
          size={targetName === null ? 'xs' : 'sm'}
          {...(targetName === null && { ff: 'monospace' })}
          className="cut cell"
          dir="auto"
          title={name}
        >
          {name}
        </Text>
      ) : (
        <Anchor component={Link} to={href} size="sm" className="cut cell" dir="auto" title={name}>
          {name}
        </Anchor>
      )}
      <Tooltip label={messages.show}>
        <ActionIcon variant="subtle" color="gray" size={36} onClick={() => show(targetId)} aria-label={`${messages.show}: ${name}`}>
          <IconFilter size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}

/** Returns the page of the changed record; null if it has none or was deleted. */
function useTargetHref({ targetId, targetName, targetBaseId }: AuditEntry): string | null {
  const { slug } = useWorkspace().organization
  if (targetName === null) return null
  const of: Record<string, string> = {
    ctc: `contacts/${targetId}`,
    co: `companies/${targetId}`,
    fld: 'settings/custom-fields',
    imp: `contacts/import/${targetId}`,
    prp: `proposals/${targetId}`,
    kb: `knowledge/${targetId}/sources`,
    src: `knowledge/${targetBaseId}/sources/${targetId}`,
    qst: `knowledge/${targetBaseId}/evaluation`,
    org: 'settings/organization',
    tok: 'settings/tokens',
    usr: 'settings/members',
    inv: 'settings/members',
    whk: `settings/webhooks/${targetId}`,
  }
  const path = of[targetId.split('_', 1)[0] ?? '']
  return path === undefined ? null : `/${slug}/${path}`
}
