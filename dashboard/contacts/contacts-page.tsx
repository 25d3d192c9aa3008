import './list/list.css'
import type { Contact } from '@groundwork/api'
import { ActionIcon, Box, Button, Text, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileImport, IconPlus, IconUserSearch, IconUsers } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { contactName } from '../lib/contact.ts'
import { rowsOf } from '../lib/pages.ts'
import { searchIn } from '../lib/search-params.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { DataTable } from '../shell/data-table.tsx'
import { ViewBar } from '../shell/list/view-bar.tsx'
import type { ViewedList } from '../shell/list/view-changes.tsx'
import { useListKeys } from '../shell/list/use-list-keys.ts'
import { notifyError } from '../shell/notify.tsx'
import { Page } from '../shell/page.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../shell/states.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useCreateRequest } from '../shell/use-create-request.ts'
import { useMessages } from '../messages/messages.ts'
import { ContactFilters } from './contact-filters.tsx'
import { DeletedLink } from '../shell/list/deleted-records.tsx'
import { deletedMessages } from './deleted/messages.ts'
import { DuplicatesLink } from './duplicates/duplicates-link.tsx'
import { chosenColumns, ContactCard, tableColumns, useAllColumns } from './list/columns.tsx'
import { Display } from './list/display.tsx'
import { shownError } from './list/errors.ts'
import { ExportButton } from './list/export-button.tsx'
import { maxBulkIds } from './list/bulk.ts'
import type { ListState } from './list/search.ts'
import { defaultColumns, filterOf, isFiltered, isSameList, stateOf, stateOfView, viewOf } from './list/state.ts'
import { viewsKey } from './keys.ts'
import { listMessages } from './list/messages.ts'
import { contactsQuery, idsFound, viewsQuery } from './queries.ts'
import { contactMessages } from './messages.ts'

const route = getRouteApi('/$organization/contacts')

/** These are loaded after the list: a phone loads the list earlier without the forms. */
const loadCreateContact = () => import('./create-contact.tsx')
const CreateContact = lazy(loadCreateContact)
const ContactSelection = lazy(() => import('./list/selection-bar.tsx').then((module) => ({ default: module.ContactSelection })))

export function ContactsPage() {
  const messages = useMessages(contactMessages)
  const deleted = useMessages(deletedMessages)
  const { none } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const views = useQuery(viewsQuery(workspace))
  const view = views.data?.find(({ id }) => id === search.view)
  const state = stateOf(search, views.data ?? [])
  // The contacts of a view are not known before the view.
  const isReady = search.view === undefined || search.edited === true || !views.isPending
  const query = useInfiniteQuery({ ...contactsQuery(workspace, state), placeholderData: keepPreviousData, enabled: isReady })
  const all = useAllColumns()
  const chosen = chosenColumns(all, state.columns ?? defaultColumns)
  const mayWrite = useMay('contacts:write')
  const [creating, { open, close }] = useDisclosure()
  useCreateRequest(open)
  // After a failure, the dialog loads its code when it is opened.
  useEffect(() => void loadCreateContact().catch(() => undefined), [])
  const list = useRef<HTMLDivElement>(null)
  useListKeys(list, mayWrite ? open : undefined)
  const createButton = (props: ButtonProps) => (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open} {...props}>
      {messages.newContact}
    </Button>
  )
  /** Changes the list of the URL, which can be newer than the list that is shown. */
  const change = (changed: (state: ListState) => ListState): void =>
    void navigate({ search: (before) => searchIn(view, changed(stateOf(before, views.data ?? []))), replace: true })
  const viewedList = useViewedList()
  const openView = (id: string | undefined): void => void navigate({ search: id === undefined ? {} : { view: id } })
  const rows = query.data === undefined ? [] : rowsOf(query.data)
  const total = query.data?.pages[0]?.totalCount ?? rows.length
  const isEmpty = query.data !== undefined && rows.length === 0 && !isFiltered(state)
  const shown = { ...query, error: query.error === null ? null : shownError(query.error, 'list') }
  return (
    <Page
      guide="contacts"
      title={messages.title}
      description={<Box visibleFrom="sm">{messages.about}</Box>}
      actions={
        <>
          <DuplicatesLink />
          {total > 0 && <ExportButton state={state} total={total} />}
          {mayWrite && <DeletedLink label={deleted.title} to="/$organization/contacts/deleted" />}
          {mayWrite && (
            <>
              <ImportLink />
              {/* On a phone, all actions fit into one line: the list would move down when the duplicates appear. */}
              <ActionIcon size={36} hiddenFrom="sm" aria-label={messages.newContact} onClick={open}>
                <IconPlus size={16} aria-hidden />
              </ActionIcon>
              {createButton({ visibleFrom: 'sm' })}
            </>
          )}
        </>
      }
    >
      {(!isEmpty || views.data?.length !== 0) && (
        <ViewBar
          to="/$organization/contacts"
          list={viewedList}
          views={views.data ?? []}
          view={view}
          state={viewOf(state)}
          isChanged={!isSameList(state, view === undefined ? {} : stateOfView(view))}
          onOpen={openView}
        >
          {query.data !== undefined && (
            <Text size="sm" c="dimmed" className="one-line" role="status" aria-live="polite" aria-busy={query.isPlaceholderData}>
              {messages.found(total)}
            </Text>
          )}
        </ViewBar>
      )}
      {!isEmpty && (
        <ContactFilters state={state} onChange={change} suggestedTags={tagsOf(rows)}>
          <Display state={state} all={all} chosen={chosen} onChange={change} />
        </ContactFilters>
      )}
      <Loaded query={shown} skeleton={<SkeletonRows rows={10} />}>
        {() =>
          rows.length === 0 ? (
            <NoContacts
              state={state}
              onClear={() => change(({ sort, columns }) => ({ sort, columns }))}
              create={
                mayWrite && (
                  <>
                    <ImportLink />
                    {createButton({})}
                  </>
                )
              }
            />
          ) : (
            <div ref={list} className="contact-list">
              <Table
                key={JSON.stringify([filterOf(state), state.q])}
                state={state}
                rows={rows}
                total={total}
                more={query}
                columns={tableColumns(chosen, state, none, (sort) => change((now) => ({ ...now, sort })))}
                card={(contact) => <ContactCard contact={contact} columns={chosen} />}
              />
            </div>
          )
        }
      </Loaded>
      <Suspense>{creating && <CreateContact onClose={close} />}</Suspense>
    </Page>
  )
}

function useViewedList(): ViewedList<ReturnType<typeof viewOf>> {
  const { all, views, stays } = useMessages(listMessages)
  const { client, organization } = useWorkspace()
  const { create, update, delete: remove } = client.contactViews
  return {
    scope: 'contacts:write',
    words: { all, views, stays },
    queryKey: [organization.id, ...viewsKey],
    create,
    update,
    delete: remove,
    shownError: (error) => shownError(error, 'change'),
  }
}

interface TableProps {
  state: ListState
  rows: readonly Contact[]
  total: number
  columns: ReturnType<typeof tableColumns>
  card: (contact: Contact) => ReactNode
  more: Parameters<typeof DataTable<Contact>>[0]['more']
}

/** The contacts with their selection, which ends when others match. */
function Table({ state, rows, total, more, ...table }: TableProps) {
  const messages = useMessages(contactMessages)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isAll, setAll] = useState(false)
  const select = (ids: ReadonlySet<string>): void => {
    setSelected(ids)
    setAll(false)
  }
  const mayWrite = useMay('contacts:write')
  const workspace = useWorkspace()
  /** A bulk change has no search text, so the contacts that a search finds are changed by their ids. */
  const selectAll = async (): Promise<void> => {
    if (state.q === undefined) return setAll(true)
    try {
      select(new Set(await idsFound(workspace, state)))
    } catch (error) {
      notifyError(shownError(error, 'list'))
    }
    return undefined
  }
  const ids = isAll ? new Set(rows.map(({ id }) => id)) : selected
  return (
    <>
      <DataTable
        label={messages.title}
        rows={rows}
        idOf={({ id }) => id}
        nameOf={contactName}
        {...(mayWrite && { selection: { selected: ids, onChange: select } })}
        {...(more !== undefined && { more })}
        endless
        {...table}
      />
      {mayWrite && ids.size > 0 && (
        <Suspense>
          <ContactSelection
            chosen={isAll ? { filter: filterOf(state) ?? everyContact } : { contactIds: [...ids] }}
            count={isAll ? total : ids.size}
            matching={state.q === undefined || total <= maxBulkIds ? total : undefined}
            tags={tagsOf(rows)}
            onSelectMatching={selectAll}
            onClear={() => select(new Set())}
          />
        </Suspense>
      )}
    </>
  )
}

const everyContact = { key: 'createdAt', exists: true }

function ImportLink() {
  const { organization } = useWorkspace()
  const { importContacts } = useMessages(contactMessages)
  const toImport = (props: object) => <Link {...props} to="/$organization/contacts/import" params={{ organization: organization.slug }} />
  return (
    <>
      <ActionIcon variant="default" size={36} hiddenFrom="sm" aria-label={importContacts} renderRoot={toImport}>
        <IconFileImport size={16} aria-hidden />
      </ActionIcon>
      <Button variant="default" visibleFrom="sm" leftSection={<IconFileImport size={16} aria-hidden />} renderRoot={toImport}>
        {importContacts}
      </Button>
    </>
  )
}

function NoContacts({ state, onClear, create }: { state: ListState; onClear: () => void; create: ReactNode }) {
  const messages = useMessages(contactMessages)
  if (!isFiltered(state)) {
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

/** Returns the tags of the loaded contacts, at most 100, as suggestions. */
const tagsOf = (rows: readonly Contact[]): string[] => [...new Set(rows.flatMap(({ tags }) => tags))].toSorted().slice(0, 100)
