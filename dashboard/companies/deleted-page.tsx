import type { DeletedCompany } from '@groundwork/api'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { worded } from '../lib/errors.ts'
import { dayOf } from '../lib/formats.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import type { Column } from '../shell/data-table.tsx'
import { SearchInput } from '../shell/filter-inputs.tsx'
import { Page } from '../shell/page.tsx'
import { PagedTable } from '../shell/paged-table.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { EmptyState } from '../shell/states.tsx'
import { companiesLabel } from './label.ts'
import { companyMessages } from './messages.ts'
import { companiesKey, deletedCompaniesQuery } from './queries.ts'

const route = getRouteApi('/$organization/companies/deleted')

/** The companies that can be restored, the last deleted first. */
export function DeletedPage() {
  const { deletedList: messages } = useMessages(companyMessages)
  const companies = useMessages(companiesLabel)
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const search = (text: string | undefined): void => void navigate({ search: { q: text }, replace: true })
  const query = useInfiniteQuery({ ...deletedCompaniesQuery(useWorkspace(), q), placeholderData: keepPreviousData })
  const isEmpty = q === undefined && query.data?.pages[0]?.data.length === 0
  return (
    <Page
      guide="companies"
      title={messages.title}
      description={messages.about}
      crumbs={[{ label: companies, to: '/$organization/companies' }]}
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
        nameOf={({ name }) => name}
      />
    </Page>
  )
}

function NoneDeleted({ onClear }: { onClear: (() => void) | undefined }) {
  const { deletedList: messages, clearSearch } = useMessages(companyMessages)
  const clear = onClear && (
    <Button variant="default" onClick={onClear}>
      {clearSearch}
    </Button>
  )
  return (
    <EmptyState icon={IconTrash} title={clear === undefined ? messages.none : messages.noneFound} action={clear}>
      {messages.noneHelp}
    </EmptyState>
  )
}

function useColumns(): Column<DeletedCompany>[] {
  const { columns } = useMessages(companyMessages).deletedList
  const { none } = useMessages(sharedMessages)
  const cut = (text: string) => (
    <span className="cut cell" dir="auto" title={text}>
      {text}
    </span>
  )
  return [
    { key: 'name', header: columns.name, cell: ({ name }) => cut(name) },
    { key: 'domains', header: columns.domains, cell: ({ domains }) => (domains.length === 0 ? none : cut(domains.join(', '))) },
    { key: 'deleted', header: columns.deleted, cell: ({ deletedAt }) => <RelativeTime at={deletedAt} /> },
    { key: 'until', header: columns.until, cell: ({ restorableUntil }) => dayOf(restorableUntil) },
    { key: 'restore', header: columns.action, cell: (company) => <Restore company={company} />, align: 'right' },
  ]
}

function Restore({ company: { id, name } }: { company: DeletedCompany }) {
  const { deletedList: messages, restored } = useMessages(companyMessages)
  const { client, organization } = useWorkspace()
  const restore = useChange(
    () => client.companies.restore(id).catch((error: Error) => Promise.reject(worded(error, { conflict: messages.taken }))),
    { invalidates: () => [[organization.id, ...companiesKey]], done: restored(name) },
  )
  return (
    <Button variant="default" size="xs" loading={restore.isPending} onClick={() => restore.mutate()} aria-label={messages.restoreOf(name)}>
      {messages.restore}
    </Button>
  )
}
