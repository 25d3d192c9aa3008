import type { DeletedContact } from '@groundwork/api'
import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { contactName } from '../../lib/contact.ts'
import { worded } from '../../lib/errors.ts'
import { pagesOf } from '../../lib/pages.ts'
import { useWorkspace, type Workspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { DeletedRecords } from '../../shell/list/deleted-records.tsx'
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
  const { columns } = messages
  const { none } = useMessages(sharedMessages)
  const contacts = useMessages(contactsLabel)
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const search = (text: string | undefined): void => void navigate({ search: { q: text }, replace: true })
  const query = useInfiniteQuery({ ...deletedQuery(useWorkspace(), q), placeholderData: keepPreviousData })
  return (
    <DeletedRecords
      guide="contacts"
      list={{ label: contacts, to: '/$organization/contacts' }}
      words={messages}
      q={q}
      onSearch={search}
      query={query}
      columns={[
        { key: 'name', header: columns.name, cell: contactName },
        { key: 'reach', header: columns.reach, cell: ({ email, phone }) => email ?? phone ?? none },
      ]}
      nameOf={contactName}
      restore={(contact) => <Restore contact={contact} />}
    />
  )
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
