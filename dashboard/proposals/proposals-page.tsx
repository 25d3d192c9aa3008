import '@mantine/core/styles/Chip.css'
import type { Proposal } from '@groundwork/api'
import { Button, Chip, Group, Stack, Text } from '@mantine/core'
import { IconFileDollar, IconFileSearch, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { rowsOf } from '../lib/pages.ts'
import { oneOf } from '../lib/search-params.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import type { Column } from '../shell/data-table.tsx'
import { SearchInput } from '../shell/filter-inputs.tsx'
import { Money } from '../shell/money.tsx'
import { Page } from '../shell/page.tsx'
import { PagedTable } from '../shell/paged-table.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { EmptyState } from '../shell/states.tsx'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'
import { ContactLink } from './contact-link.tsx'
import { proposalsQuery, type ProposalFilter } from './queries.ts'
import { statuses } from './states.ts'
import { StatusBadge } from './status-badge.tsx'
import { proposalWords } from './words.ts'

const route = getRouteApi('/$organization/proposals')

export function ProposalsPage() {
  const words = useWords(proposalWords)
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery({ ...proposalsQuery(useWorkspace(), filter), placeholderData: keepPreviousData })
  const columns = useColumns()
  const create = useMay('proposals:write') && <CreateProposal />
  const isFiltered = filter.q !== undefined || filter.status !== undefined
  const change = (next: ProposalFilter): void => void navigate({ search: next, replace: true })
  const isEmpty = query.data !== undefined && rowsOf(query.data).length === 0
  return (
    <Page title={words.title} description={words.about} actions={create}>
      {(!isEmpty || isFiltered) && <Filters filter={filter} onChange={change} />}
      <PagedTable
        query={query}
        label={words.title}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        endless
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconFileSearch}
              title={words.noneFound}
              action={
                <Button variant="default" onClick={() => change({})}>
                  {words.clearFilters}
                </Button>
              }
            >
              {words.noneFoundHelp}
            </EmptyState>
          ) : (
            <EmptyState icon={IconFileDollar} title={words.emptyTitle} action={create}>
              {words.emptyHelp}
            </EmptyState>
          )
        }
      />
    </Page>
  )
}

function CreateProposal() {
  const words = useWords(proposalWords)
  const { organization } = useWorkspace()
  return (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      renderRoot={(props) => <Link {...props} to="/$organization/proposals/new" params={{ organization: organization.slug }} />}
    >
      {words.newProposal}
    </Button>
  )
}

const anyStatus = 'all'

function Filters({ filter, onChange }: { filter: ProposalFilter; onChange: (filter: ProposalFilter) => void }) {
  const words = useWords(proposalWords)
  return (
    <Stack gap="sm" role="search">
      <SearchInput label={words.search} value={filter.q} onChange={(q) => onChange({ ...filter, q })} />
      <Chip.Group value={filter.status ?? anyStatus} onChange={(value: string) => onChange({ ...filter, status: oneOf(statuses, value) })}>
        <Group gap="xs" role="radiogroup" aria-label={words.status}>
          <Chip value={anyStatus} size="lg">
            {words.all}
          </Chip>
          {statuses.map((status) => (
            <Chip key={status} value={status} size="lg">
              {words.statuses[status]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Stack>
  )
}

function useColumns(): Column<Proposal>[] {
  const { columns } = useWords(proposalWords)
  const { none } = useWords(sharedWords)
  return [
    { key: 'proposal', header: columns.proposal, cell: (proposal) => <ProposalLink {...proposal} /> },
    { key: 'contact', header: columns.contact, cell: ({ contactId }) => <ContactLink contactId={contactId} /> },
    { key: 'status', header: columns.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: 'total',
      header: columns.total,
      cell: ({ totalAmount, currency }) => <Money amount={totalAmount} currency={currency} />,
      align: 'right',
    },
    {
      key: 'expires',
      header: columns.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? none : <RelativeTime at={expiresAt} />),
      align: 'right',
    },
    { key: 'created', header: columns.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} />, align: 'right' },
  ]
}

function ProposalLink({ id, title, number }: Proposal) {
  const { organization } = useWorkspace()
  return (
    <>
      <Link className="row-link" to="/$organization/proposals/$proposalId" params={{ organization: organization.slug, proposalId: id }}>
        {title}
      </Link>
      {number !== null && (
        <Text size="xs" c="dimmed">
          {number}
        </Text>
      )}
    </>
  )
}
