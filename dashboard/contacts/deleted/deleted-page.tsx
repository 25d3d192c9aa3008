import type { DeletedContact } from '@groundwork/api'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { contactName } from '../../lib/contact.ts'
import { worded } from '../../lib/errors.ts'
import { dayOf } from '../../lib/formats.ts'
import { pagesOf } from '../../lib/pages.ts'
import { useWorkspace, type Workspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import type { Column } from '../../shell/data-table.tsx'
import { SearchInput } from '../../shell/filter-inputs.tsx'
import { Page } from '../../shell/page.tsx'
import { PagedTable } from '../../shell/paged-table.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { deletedKey, filteredKey } from '../keys.ts'
import { contactsLabel } from '../messages.ts'
import { showContact } from '../shown.ts'
import { deletedMessages } from './messages.ts'

const route = getRouteApi('/$organization/contacts/deleted')

const deletedQuery = ({ client, organization }: Workspace, q: string | undefined) =>
  pagesOf([organization.id, ...deletedKey, q ?? ''], ({ query, signal }) =>
    client.contacts.deleted.list({ ...query, ...(q !== undefined && { q }), limit: 50 }, { signal }).page(),
  )

/** The contacts that can be restored, the last deleted first. */
export function DeletedPage() {
  const messages = useMessages(deletedMessages)
  const contacts = useMessages(contactsLabel)
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const search = (text: string | undefined): void => void navigate({ search: { q: text }, replace: true })
  const query = useInfiniteQuery({ ...deletedQuery(useWorkspace(), q), placeholderData: keepPreviousData })
  const isEmpty = q === undefined && query.data?.pages[0]?.data.length === 0
  return (
    <Page
      guide="contacts"
      title={messages.title}
      description={messages.about}
      crumbs={[{ label: contacts, to: '/$organization/contacts' }]}
    >
      {!isEmpty && (
        <div role="search">
          <SearchInput label={messages.search} value={q} onChange={search} />
        </div>
      )}
      <PagedTable
        query={query}
        empty={<NoneDeleted onClear={q === undefined ? undefined : () => search(undefined)} />}
        label={messages.title}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={contactName}
      />
    </Page>
  )
}

function NoneDeleted({ onClear }: { onClear: (() => void) | undefined }) {
  const messages = useMessages(deletedMessages)
  const clear = onClear && (
    <Button variant="default" onClick={onClear}>
      {messages.clear}
    </Button>
  )
  return (
    <EmptyState icon={IconTrash} title={clear === undefined ? messages.none : messages.noneFound} action={clear}>
      {messages.noneHelp}
    </EmptyState>
  )
}

function useColumns(): Column<DeletedContact>[] {
  const { columns } = useMessages(deletedMessages)
  const { none } = useMessages(sharedMessages)
  return [
    { key: 'name', header: columns.name, cell: contactName },
    { key: 'reach', header: columns.reach, cell: ({ email, phone }) => email ?? phone ?? none },
    { key: 'deleted', header: columns.deleted, cell: ({ deletedAt }) => <RelativeTime at={deletedAt} /> },
    { key: 'until', header: columns.until, cell: ({ restorableUntil }) => dayOf(restorableUntil) },
    { key: 'restore', header: columns.action, cell: (contact) => <Restore contact={contact} />, align: 'right' },
  ]
}

function Restore({ contact }: { contact: DeletedContact }) {
  const messages = useMessages(deletedMessages)
  const { client, organization } = useWorkspace()
  const queries = useQueryClient()
  const name = contactName(contact)
  const restore = useChange(
    () => client.contacts.restore(contact.id).catch((error: Error) => Promise.reject(worded(error, { conflict: messages.taken }))),
    {
      invalidates: () => [
        [organization.id, ...deletedKey],
        [organization.id, ...filteredKey],
      ],
      done: messages.restored(name),
      onDone: (restored) => showContact({ queries, organizationId: organization.id }, restored),
    },
  )
  return (
    <Button variant="default" size="xs" loading={restore.isPending} onClick={() => restore.mutate()} aria-label={messages.restoreOf(name)}>
      {messages.restore}
    </Button>
  )
}
