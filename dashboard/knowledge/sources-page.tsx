import '@mantine/dropzone/styles.css'
import { sourceSorts } from '@groundwork/api/source-types'
import type { Source } from './records.ts'
import { Alert, Box, Button, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useDisclosure } from '@mantine/hooks'
import { IconFilter, IconFileText, IconUpload, IconWorld } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRef, type ReactNode } from 'react'
import { ShownError, worded } from '../lib/errors.ts'
import { bytes, number } from '../lib/formats.ts'
import { oneOf, searchIn } from '../lib/search-params.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import type { Column } from '../shell/data-table.tsx'
import { notifyError } from '../shell/notify.tsx'
import { SearchInput } from '../shell/filter-inputs.tsx'
import { FilterPanel } from '../shell/list/filter-panel.tsx'
import { ListTable } from '../shell/list/list-table.tsx'
import { columnSort } from '../shell/list/local-rows.ts'
import type { ViewedList } from '../shell/list/view-changes.tsx'
import { ViewPicker } from '../shell/list/view-picker.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { EmptyState } from '../shell/states.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { viewsMessages } from '../messages/views.ts'
import { AddAddress } from './add-address.tsx'
import { sourceName } from './address-body.ts'
import { sourcesQuery, sourceViewsKey, sourceViewsQuery } from './queries.ts'
import { SourceBulkActions } from './source-bulk-actions.tsx'
import { defaultSourceSort, sourceStatuses, sourceTypes, type SourceFilter } from './source-filter.ts'
import { isFiltered, isSameList, listOf, listOfView, viewOf } from './source-list-state.ts'
import { SourceMenu } from './source-menu.tsx'
import { SourceStatus } from './source-status.tsx'
import { UploadPanel } from './upload-panel.tsx'
import { useUploads } from './uploads.ts'
import { knowledgeMessages } from './messages.ts'

const route = getRouteApi('/$organization/knowledge/$baseId/sources')

/** The upload limit of the API. */
const maxBytes = 200_000_000

export function SourcesPage() {
  const messages = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const { baseId } = route.useParams()
  const search = route.useSearch()
  const views = useQuery(sourceViewsQuery(workspace))
  const view = views.data?.find(({ id }) => id === search.view)
  const filter = listOf(search, views.data ?? [])
  // The sources of a view are not known before the view.
  const isReady = search.view === undefined || search.edited === true || !views.isPending
  const query = useInfiniteQuery({ ...sourcesQuery(workspace, baseId, filter), placeholderData: keepPreviousData, enabled: isReady })
  const navigate = route.useNavigate()
  /** Changes the list of the URL, which can be newer than the list that is shown. */
  const set = (part: SourceFilter): void =>
    void navigate({ search: (before) => searchIn(view, { ...listOf(before, views.data ?? []), ...part }), replace: true })
  const openView = (id: string | undefined): void => void navigate({ search: id === undefined ? {} : { view: id } })
  const viewedList = useViewedList()
  const columns = useColumns(filter.sort ?? defaultSourceSort, (sort) => set({ sort: sortOf(sort) }))
  const mayAdd = useMay('sources:write')
  const [adding, { open, close }] = useDisclosure()
  return (
    <Stack gap="sm">
      <Filters
        filter={filter}
        onChange={set}
        views={
          <ViewPicker
            list={viewedList}
            views={views.data ?? []}
            view={view}
            state={viewOf(filter)}
            isChanged={!isSameList(filter, view === undefined ? {} : listOfView(view))}
            onOpen={openView}
          />
        }
      >
        {mayAdd && <AddSources baseId={baseId} onAddUrl={open} />}
      </Filters>
      {mayAdd && <Interrupted baseId={baseId} />}
      <ListTable
        query={query}
        empty={<NoSources filtered={isFiltered(filter)} />}
        label={messages.sources.label}
        selectionLabel={messages.sources.selection}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={sourceName}
        {...(mayAdd && {
          actions: (source: Source) => <SourceMenu source={source} />,
          bulk: (sources: readonly Source[], clear: () => void) => <SourceBulkActions sources={sources} onDone={clear} />,
          onCreate: open,
        })}
      />
      {mayAdd && <UploadPanel baseId={baseId} />}
      {adding && <AddAddress baseId={baseId} onClose={close} />}
    </Stack>
  )
}

function useViewedList(): ViewedList<ReturnType<typeof viewOf>> {
  const { listViews: words, viewRefused } = useMessages(knowledgeMessages).sources
  const { tooMany } = useMessages(viewsMessages)
  const workspace = useWorkspace()
  const { create, update, delete: remove } = workspace.client.sourceViews
  return {
    scope: 'sources:write',
    words,
    queryKey: sourceViewsKey(workspace),
    create,
    update,
    delete: remove,
    shownError: (error) => worded(error, { conflict: tooMany, validation_error: viewRefused }),
  }
}

/** Returns the order; undefined for the default, so that the URL stays short. */
function sortOf(value: string): SourceFilter['sort'] {
  const sort = oneOf(sourceSorts, value)
  return sort === defaultSourceSort ? undefined : sort
}

function NoSources({ filtered }: { filtered: boolean }) {
  const { sources: words } = useMessages(knowledgeMessages)
  return filtered ? (
    <EmptyState icon={IconFilter} title={words.noneOfStatus}>
      {words.noneOfStatusHelp}
    </EmptyState>
  ) : (
    <EmptyState icon={IconFileText} title={words.emptyTitle}>
      {words.emptyHelp}
    </EmptyState>
  )
}

/** The buttons that add sources. Files can be dropped anywhere on the page. */
function AddSources({ baseId, onAddUrl }: { baseId: string; onAddUrl: () => void }) {
  const messages = useMessages(knowledgeMessages)
  const { queue } = useUploads(baseId)
  const choose = useRef<() => void>(null)
  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconWorld size={16} aria-hidden />} onClick={onAddUrl}>
        {messages.address.add}
      </Button>
      <Button leftSection={<IconUpload size={16} aria-hidden />} title={messages.upload.dropHelp} onClick={() => choose.current?.()}>
        {messages.upload.add}
      </Button>
      <Dropzone.FullScreen
        openRef={choose}
        onDrop={queue.add}
        onReject={(rejected) => {
          for (const { file } of rejected) notifyError(new ShownError(messages.upload.tooLarge(file.name)))
        }}
        maxSize={maxBytes}
        activateOnKeyboard={false}
        useFsAccessApi={false}
        inputProps={{ 'aria-label': messages.upload.add }}
        tabIndex={-1}
        aria-hidden
      >
        <div className="drop-here">
          <Text size="xl" fw={600}>
            {messages.upload.drop}
          </Text>
        </div>
      </Dropzone.FullScreen>
    </Group>
  )
}

/** Uploads that a reload has interrupted. */
function Interrupted({ baseId }: { baseId: string }) {
  const { upload: words } = useMessages(knowledgeMessages)
  const { queue, interrupted } = useUploads(baseId)
  if (interrupted.length === 0) return null
  return (
    <Alert
      color="yellow"
      role="status"
      title={words.interrupted(interrupted.length)}
      withCloseButton
      closeButtonLabel={words.forgetInterrupted}
      onClose={queue.forgetInterrupted}
    >
      {words.interruptedHelp(interrupted)}
    </Alert>
  )
}

const everything = 'all'

interface FiltersProps {
  filter: SourceFilter
  onChange: (part: SourceFilter) => void
  views: ReactNode
  children: ReactNode
}

function Filters({ filter, onChange: set, views, children }: FiltersProps) {
  const { sources: words, statuses, types } = useMessages(knowledgeMessages)
  const { status, type, q, sort = defaultSourceSort } = filter
  return (
    <Group gap="xs" justify="space-between">
      <Box flex="1 1 320px">
        <FilterPanel
          active={[status, type].filter((value) => value !== undefined).length}
          isInline
          aside={views}
          orders={{ labels: words.sorts, value: sort, onChange: (value) => set({ sort: sortOf(value) }) }}
          search={<SearchInput label={words.search} value={q} onChange={(text) => set({ q: text })} />}
        >
          <Group gap="xs">
            <SegmentedControl
              aria-label={words.filter}
              data={[{ value: everything, label: words.all }, ...sourceStatuses.map((value) => ({ value, label: statuses[value] }))]}
              value={status ?? everything}
              onChange={(value) => set({ status: oneOf(sourceStatuses, value) })}
            />
            <NativeSelect
              aria-label={words.typeFilter}
              data={[{ value: '', label: words.anyType }, ...sourceTypes.map((value) => ({ value, label: types[value] }))]}
              value={type ?? ''}
              onChange={(event) => set({ type: oneOf(sourceTypes, event.currentTarget.value) })}
            />
          </Group>
        </FilterPanel>
      </Box>
      {children}
    </Group>
  )
}

function useColumns(sort: string, onSort: (sort: string) => void): Column<Source>[] {
  const messages = useMessages(knowledgeMessages)
  const { columns } = messages.sources
  const { none } = useMessages(sharedMessages)
  return [
    {
      key: 'source',
      header: columns.source,
      cell: (source) => <SourceLink source={source} />,
      grows: true,
      sort: columnSort('name', sort, onSort),
    },
    { key: 'type', header: columns.type, cell: ({ type }) => messages.types[type], width: 110 },
    {
      key: 'status',
      header: columns.status,
      cell: (source) => <SourceStatus source={source} />,
      width: 260,
      sort: columnSort('status', sort, onSort),
    },
    {
      key: 'size',
      header: columns.size,
      cell: (source) => (source.bytes === null ? none : bytes(source.bytes)),
      align: 'right',
      width: 90,
      sort: columnSort('bytes', sort, onSort, 'descending'),
    },
    {
      key: 'chunks',
      header: columns.chunks,
      cell: ({ chunksCount }) => number(chunksCount),
      align: 'right',
      width: 90,
      sort: columnSort('chunksCount', sort, onSort, 'descending'),
    },
    {
      key: 'updated',
      header: columns.updated,
      cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
      align: 'right',
      width: 130,
      sort: columnSort('updatedAt', sort, onSort, 'descending'),
    },
  ]
}

/** A page that was added without a name is called by its title, with its URL below. */
function SourceLink({ source }: { source: Source }) {
  const { organization } = useWorkspace()
  const { id, baseId, name } = source
  const shown = sourceName(source)
  const link = (
    <Link
      className="row-link cut"
      dir="auto"
      title={shown}
      to="/$organization/knowledge/$baseId/sources/$sourceId"
      params={{ organization: organization.slug, baseId, sourceId: id }}
    >
      {shown}
    </Link>
  )
  if (shown === name) return link
  return (
    <>
      {link}
      <Text size="xs" c="dimmed" className="cut" dir="auto" title={name}>
        {name}
      </Text>
    </>
  )
}
