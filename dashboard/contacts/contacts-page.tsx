import type { Contact } from '@groundwork/api'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileImport, IconPlus, IconUserSearch, IconUsers } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { contactName } from '../lib/contact.ts'
import { rowsOf } from '../lib/pages.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { DataTable, type Column } from '../shell/data-table.tsx'
import { Page } from '../shell/page.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../shell/states.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { ContactFilters } from './contact-filters.tsx'
import { CreateContact } from './create-contact.tsx'
import { isFiltered, type ContactFilter } from './filter.ts'
import { contactsQuery } from './queries.ts'
import { contactMessages } from './messages.ts'

const route = getRouteApi('/$organization/contacts')

export function ContactsPage() {
  const messages = useMessages(contactMessages)
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery({ ...contactsQuery(useWorkspace(), filter), placeholderData: keepPreviousData })
  const columns = useColumns()
  const mayWrite = useMay('contacts:write')
  const [creating, { open, close }] = useDisclosure()
  const create = mayWrite && (
    <>
      <ImportLink />
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        {messages.newContact}
      </Button>
    </>
  )
  const change = (next: ContactFilter): void => void navigate({ search: next, replace: true })
  const rows = query.data === undefined ? [] : rowsOf(query.data)
  const isEmpty = query.data !== undefined && rows.length === 0 && !isFiltered(filter)
  return (
    <Page title={messages.title} description={messages.about} actions={create}>
      {!isEmpty && <ContactFilters filter={filter} onChange={change} suggestedTags={tagsOf(rows)} />}
      <Loaded query={query} skeleton={<SkeletonRows rows={10} />}>
        {(data) => (
          <>
            <Text size="sm" c="dimmed" role="status" aria-live="polite" aria-busy={query.isPlaceholderData}>
              {messages.found(data.pages[0]?.totalCount ?? rows.length)}
            </Text>
            {rows.length === 0 ? (
              <NoContacts filter={filter} onClear={() => change({})} create={create} />
            ) : (
              <DataTable
                label={messages.title}
                columns={columns}
                rows={rows}
                idOf={({ id }) => id}
                nameOf={contactName}
                more={query}
                endless
              />
            )}
          </>
        )}
      </Loaded>
      <CreateContact opened={creating} onClose={close} />
    </Page>
  )
}

function ImportLink() {
  const { organization } = useWorkspace()
  const { importContacts } = useMessages(contactMessages)
  return (
    <Button
      variant="default"
      leftSection={<IconFileImport size={16} aria-hidden />}
      renderRoot={(props) => <Link {...props} to="/$organization/contacts/import" params={{ organization: organization.slug }} />}
    >
      {importContacts}
    </Button>
  )
}

function NoContacts({ filter, onClear, create }: { filter: ContactFilter; onClear: () => void; create: ReactNode }) {
  const messages = useMessages(contactMessages)
  if (!isFiltered(filter)) {
    return (
      <EmptyState icon={IconUsers} title={messages.emptyTitle} action={create}>
        {messages.emptyHelp}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={IconUserSearch}
      title={messages.noneFound}
      action={
        <Button variant="default" onClick={onClear}>
          {messages.clearFilters}
        </Button>
      }
    >
      {messages.noneFoundHelp}
    </EmptyState>
  )
}

const maxTags = 3

function useColumns(): Column<Contact>[] {
  const { columns } = useMessages(contactMessages)
  const { none } = useMessages(sharedMessages)
  return [
    { key: 'contact', header: columns.contact, cell: (contact) => <ContactLink contact={contact} /> },
    { key: 'email', header: columns.email, cell: ({ email }) => email ?? none },
    { key: 'phone', header: columns.phone, cell: ({ phone }) => phone ?? none },
    { key: 'tags', header: columns.tags, cell: ({ tags }) => <Tags tags={tags} /> },
    { key: 'created', header: columns.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} />, align: 'right' },
  ]
}

function ContactLink({ contact }: { contact: Contact }) {
  const { organization } = useWorkspace()
  return (
    <Link className="row-link" to="/$organization/contacts/$contactId" params={{ organization: organization.slug, contactId: contact.id }}>
      {contactName(contact)}
    </Link>
  )
}

function Tags({ tags }: { tags: readonly string[] }) {
  const messages = useMessages(contactMessages)
  const { none } = useMessages(sharedMessages)
  if (tags.length === 0) return none
  return (
    <span className="tags">
      {tags.slice(0, maxTags).map((tag) => (
        <span key={tag} className="tag">
          {tag}
        </span>
      ))}
      {tags.length > maxTags && <small title={tags.slice(maxTags).join(', ')}>{messages.moreTags(String(tags.length - maxTags))}</small>}
    </span>
  )
}

/** Returns the tags of the loaded contacts, at most 100, as suggestions. */
const tagsOf = (rows: readonly Contact[]): string[] => [...new Set(rows.flatMap(({ tags }) => tags))].toSorted().slice(0, 100)
