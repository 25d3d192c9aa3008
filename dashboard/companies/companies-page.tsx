import type { Company } from '@groundwork/api'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBuilding, IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rowsOf } from '../lib/pages.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { DataTable, type Column } from '../shell/data-table.tsx'
import { SearchInput } from '../shell/filter-inputs.tsx'
import { DuplicatesLink } from '../shell/duplicates/duplicates-link.tsx'
import { DeletedLink } from '../shell/list/deleted-records.tsx'
import { Page } from '../shell/page.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../shell/states.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useCreateRequest } from '../shell/use-create-request.ts'
import { useMessages } from '../messages/messages.ts'
import { CompanyForm } from './company-form.tsx'
import { companiesLabel } from './label.ts'
import { companyMessages } from './messages.ts'
import { companiesQuery, companyDuplicateCountQuery } from './queries.ts'

const route = getRouteApi('/$organization/companies')

export function CompaniesPage() {
  const messages = useMessages(companyMessages)
  const title = useMessages(companiesLabel)
  const workspace = useWorkspace()
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery({ ...companiesQuery(workspace, q), placeholderData: keepPreviousData })
  const { data: duplicates } = useQuery(companyDuplicateCountQuery(workspace))
  const columns = useColumns()
  const mayWrite = useMay('contacts:write')
  const [creating, { open, close }] = useDisclosure()
  useCreateRequest(open)
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {messages.new}
    </Button>
  )
  const search = (text: string | undefined): void => void navigate({ search: { q: text }, replace: true })
  const opened = (id: string): void =>
    void navigate({ to: '/$organization/companies/$companyId', params: { organization: workspace.organization.slug, companyId: id } })
  return (
    <Page
      guide="companies"
      title={title}
      description={messages.about}
      actions={
        <>
          <DuplicatesLink count={duplicates} to="/$organization/companies/duplicates" />
          {mayWrite && <DeletedLink label={messages.deletedList.title} to="/$organization/companies/deleted" />}
          {create}
        </>
      }
    >
      <div role="search">
        <SearchInput label={messages.search} value={q} onChange={search} />
      </div>
      <Loaded query={query} skeleton={<SkeletonRows rows={8} />}>
        {(data) => {
          const rows = rowsOf(data)
          if (rows.length === 0) return <NoCompanies isSearch={q !== undefined} onClear={() => search(undefined)} create={create} />
          return (
            <>
              <Text size="sm" c="dimmed" role="status" aria-busy={query.isPlaceholderData}>
                {query.hasNextPage ? messages.foundMore(rows.length) : messages.found(rows.length)}
              </Text>
              <DataTable
                label={title}
                columns={columns}
                rows={rows}
                idOf={({ id }) => id}
                nameOf={({ name }) => name}
                more={query}
                endless
              />
            </>
          )
        }}
      </Loaded>
      {creating && <CompanyForm onClose={close} onSaved={({ id }) => opened(id)} />}
    </Page>
  )
}

function NoCompanies({ isSearch, onClear, create }: { isSearch: boolean; onClear: () => void; create: ReactNode }) {
  const messages = useMessages(companyMessages)
  if (!isSearch) {
    return (
      <EmptyState icon={IconBuilding} title={messages.emptyTitle} action={create}>
        {messages.emptyHelp}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={IconSearch}
      title={messages.noneFound}
      action={
        <Button variant="default" onClick={onClear}>
          {messages.clearSearch}
        </Button>
      }
    >
      {messages.noneFoundHelp}
    </EmptyState>
  )
}

function useColumns(): Column<Company>[] {
  const { fields } = useMessages(companyMessages)
  const { none } = useMessages(sharedMessages)
  const { organization } = useWorkspace()
  const cut = (text: string) => (
    <span className="cut cell" dir="auto" title={text}>
      {text}
    </span>
  )
  return [
    {
      key: 'name',
      header: fields.name,
      cell: ({ id, name }) => (
        <Link
          className="row-link cut cell"
          dir="auto"
          title={name}
          to="/$organization/companies/$companyId"
          params={{ organization: organization.slug, companyId: id }}
        >
          {name}
        </Link>
      ),
    },
    { key: 'domains', header: fields.domains, cell: ({ domains }) => (domains.length === 0 ? none : cut(domains.join(', '))) },
    { key: 'phone', header: fields.phone, cell: ({ phone }) => <span className="one-line">{phone ?? none}</span> },
    {
      key: 'tags',
      header: fields.tags,
      cell: ({ tags }) => (tags.length === 0 ? none : cut(tags.join(', '))),
    },
    {
      key: 'createdAt',
      header: fields.createdAt,
      align: 'right',
      cell: ({ createdAt }) => (
        <span className="one-line">
          <RelativeTime at={createdAt} />
        </span>
      ),
    },
  ]
}
