import type { Proposal } from '@groundwork/api'
import { Button, Stack, Text } from '@mantine/core'
import { IconFileDollar, IconFileSearch, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { worded } from '../lib/errors.ts'
import { rowsOf } from '../lib/pages.ts'
import { oneOf, searchIn } from '../lib/search-params.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import type { Column } from '../shell/data-table.tsx'
import { ViewBar } from '../shell/list/view-bar.tsx'
import type { ViewedList } from '../shell/list/view-changes.tsx'
import { ListTable } from '../shell/list/list-table.tsx'
import { columnSort } from '../shell/list/local-rows.ts'
import { Money } from '../shell/money.tsx'
import { Page } from '../shell/page.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { EmptyState } from '../shell/states.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { viewsMessages } from '../messages/views.ts'
import { ContactLink } from './contact-link.tsx'
import { isFiltered, isSameList, listOf, listOfView, viewOf } from './list-state.ts'
import { defaultSort, proposalSorts, type ProposalFilter } from './proposal-filter.ts'
import { listViewsKey, listViewsQuery, proposalsQuery } from './queries.ts'
import { ProposalBulkActions } from './bulk-actions.tsx'
import { ExportProposals } from './export.tsx'
import { ProposalFilters } from './filters.tsx'
import { StatusBadge } from './status-badge.tsx'
import { proposalMessages } from './messages.ts'

const route = getRouteApi('/$organization/proposals')

export function ProposalsPage() {
  const messages = useMessages(proposalMessages)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const workspace = useWorkspace()
  const views = useQuery(listViewsQuery(workspace))
  const view = views.data?.find(({ id }) => id === search.view)
  const filter = listOf(search, views.data ?? [])
  // The proposals of a view are not known before the view.
  const isReady = search.view === undefined || search.edited === true || !views.isPending
  const query = useInfiniteQuery({ ...proposalsQuery(workspace, filter), placeholderData: keepPreviousData, enabled: isReady })
  const columns = useColumns(filter.sort, (sort) => change((now) => ({ ...now, sort: oneOf(proposalSorts, sort) })))
  const mayWrite = useMay('proposals:write')
  const create = mayWrite && <CreateProposal />
  /** Changes the list of the URL, which can be newer than the list that is shown. */
  const change = (changed: (filter: ProposalFilter) => ProposalFilter): void =>
    void navigate({ search: (before) => searchIn(view, changed(listOf(before, views.data ?? []))), replace: true })
  const openView = (id: string | undefined): void => void navigate({ search: id === undefined ? {} : { view: id } })
  const viewedList = useViewedList()
  const isEmpty = query.data !== undefined && rowsOf(query.data).length === 0
  const actions = (
    <>
      {!isEmpty && <ExportProposals filter={filter} />}
      {create}
    </>
  )
  return (
    <Page guide="proposals" title={messages.title} description={messages.about} actions={actions}>
      <Stack gap={8}>
        {(!isEmpty || isFiltered(filter) || views.data?.length !== 0) && (
          <ViewBar
            to="/$organization/proposals"
            list={viewedList}
            views={views.data ?? []}
            view={view}
            state={viewOf(filter)}
            isChanged={!isSameList(filter, view === undefined ? {} : listOfView(view))}
            onOpen={openView}
          />
        )}
        {(!isEmpty || isFiltered(filter)) && <ProposalFilters filter={filter} onChange={change} />}
      </Stack>
      <ListTable
        query={query}
        label={messages.title}
        selectionLabel={messages.selection}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        {...(mayWrite && {
          bulk: (proposals: readonly Proposal[], clear: () => void) => <ProposalBulkActions proposals={proposals} onDone={clear} />,
          onCreate: () => void navigate({ to: '/$organization/proposals/new', params: { organization: workspace.organization.slug } }),
        })}
        empty={
          isFiltered(filter) ? (
            <EmptyState
              icon={IconFileSearch}
              title={messages.noneFound}
              action={
                <Button variant="default" onClick={() => change(() => ({}))}>
                  {messages.clearFilters}
                </Button>
              }
            >
              {messages.noneFoundHelp}
            </EmptyState>
          ) : (
            <EmptyState icon={IconFileDollar} title={messages.emptyTitle} action={create}>
              {messages.emptyHelp}
            </EmptyState>
          )
        }
      />
    </Page>
  )
}

function useViewedList(): ViewedList<ReturnType<typeof viewOf>> {
  const { listViews: words, viewRefused } = useMessages(proposalMessages)
  const { tooMany } = useMessages(viewsMessages)
  const { client, organization } = useWorkspace()
  const { create, update, delete: remove } = client.proposalListViews
  return {
    scope: 'proposals:write',
    words,
    queryKey: [organization.id, ...listViewsKey],
    create,
    update,
    delete: remove,
    shownError: (error) => worded(error, { conflict: tooMany, validation_error: viewRefused }),
  }
}

function CreateProposal() {
  const messages = useMessages(proposalMessages)
  const { organization } = useWorkspace()
  return (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      renderRoot={(props) => <Link {...props} to="/$organization/proposals/new" params={{ organization: organization.slug }} />}
    >
      {messages.newProposal}
    </Button>
  )
}

function useColumns(sort: ProposalFilter['sort'] = defaultSort, onSort: (sort: string) => void): Column<Proposal>[] {
  const { columns } = useMessages(proposalMessages)
  const { none } = useMessages(sharedMessages)
  return [
    { key: 'proposal', header: columns.proposal, cell: (proposal) => <ProposalLink {...proposal} />, grows: true },
    {
      key: 'contact',
      header: columns.contact,
      cell: ({ contactId }) => <ContactLink contactId={contactId} className="cut cell" />,
      width: 200,
    },
    { key: 'status', header: columns.status, cell: ({ status }) => <StatusBadge status={status} />, width: 130 },
    {
      key: 'total',
      header: columns.total,
      cell: ({ totalAmount, currency }) => <Money amount={totalAmount} currency={currency} />,
      align: 'right',
      width: 140,
      sort: columnSort('totalAmount', sort, onSort, 'descending'),
    },
    {
      key: 'expires',
      header: columns.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? none : <RelativeTime at={expiresAt} />),
      align: 'right',
      width: 120,
      sort: columnSort('expiresAt', sort, onSort),
    },
    {
      key: 'created',
      header: columns.created,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      align: 'right',
      width: 120,
      sort: columnSort('createdAt', sort, onSort, 'descending'),
    },
  ]
}

function ProposalLink({ id, title, number }: Proposal) {
  const { organization } = useWorkspace()
  return (
    <>
      <Link
        className="row-link cut"
        dir="auto"
        title={title}
        to="/$organization/proposals/$proposalId"
        params={{ organization: organization.slug, proposalId: id }}
      >
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
