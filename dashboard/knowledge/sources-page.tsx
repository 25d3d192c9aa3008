import '@mantine/dropzone/styles.css'
import type { Source } from './records.ts'
import { Alert, Box, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useDisclosure } from '@mantine/hooks'
import { IconFilter, IconFileText, IconUpload, IconWorld } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { ShownError } from '../lib/errors.ts'
import { number } from '../lib/formats.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import type { Column } from '../shell/data-table.tsx'
import { notifyError } from '../shell/notify.tsx'
import { PagedTable } from '../shell/paged-table.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { EmptyState } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { AddAddress } from './add-address.tsx'
import { sourcesQuery } from './queries.ts'
import { SourceMenu } from './source-menu.tsx'
import { SourceStatus } from './source-status.tsx'
import { UploadPanel } from './upload-panel.tsx'
import { useUploads } from './uploads.tsx'
import { knowledgeMessages } from './messages.ts'

const route = getRouteApi('/$organization/knowledge/$baseId/sources')

/** The upload limit of the API. */
const maxBytes = 200_000_000

export function SourcesPage() {
  const messages = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const { baseId } = route.useParams()
  const { status } = route.useSearch()
  const query = useInfiniteQuery(sourcesQuery(workspace, baseId, status))
  const columns = useColumns()
  const mayAdd = useMay('sources:write')
  return (
    <Stack gap="lg">
      {mayAdd && <AddSources baseId={baseId} />}
      <Filter status={status} />
      <PagedTable
        query={query}
        empty={<NoSources filtered={status !== undefined} />}
        label={messages.sources.label}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        {...(mayAdd && { actions: (source: Source) => <SourceMenu source={source} /> })}
      />
    </Stack>
  )
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

function AddSources({ baseId }: { baseId: string }) {
  const messages = useMessages(knowledgeMessages)
  const { queue, items, interrupted } = useUploads(baseId)
  const choose = useRef<() => void>(null)
  const [adding, { open, close }] = useDisclosure()
  return (
    <>
      <Group gap="xs">
        <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => choose.current?.()}>
          {messages.upload.add}
        </Button>
        <Button variant="default" leftSection={<IconWorld size={16} aria-hidden />} onClick={open}>
          {messages.address.add}
        </Button>
      </Group>
      <Dropzone
        openRef={choose}
        onDrop={queue.add}
        onReject={(rejected) => {
          for (const { file } of rejected) notifyError(new ShownError(messages.upload.tooLarge(file.name)))
        }}
        maxSize={maxBytes}
        activateOnKeyboard
        useFsAccessApi={false}
        aria-label={messages.upload.drop}
        inputProps={{ 'aria-label': messages.upload.add }}
      >
        <Box ta="center" py="sm">
          <Text size="sm">{messages.upload.drop}</Text>
          <Text size="xs" c="dimmed">
            {messages.upload.dropHelp}
          </Text>
        </Box>
      </Dropzone>
      {interrupted.length > 0 && (
        <Alert
          color="yellow"
          role="status"
          title={messages.upload.interrupted(interrupted.length)}
          withCloseButton
          closeButtonLabel={messages.upload.forgetInterrupted}
          onClose={queue.forgetInterrupted}
        >
          {messages.upload.interruptedHelp(interrupted)}
        </Alert>
      )}
      {items.length > 0 && <UploadPanel queue={queue} items={items} baseId={baseId} />}
      <AddAddress baseId={baseId} opened={adding} onClose={close} />
    </>
  )
}

const everything = 'all'

function Filter({ status }: { status: Source['status'] | undefined }) {
  const messages = useMessages(knowledgeMessages)
  const navigate = route.useNavigate()
  const choices = [
    { value: everything, label: messages.sources.all },
    ...(['completed', 'processing', 'failed'] as const).map((value) => ({ value, label: messages.statuses[value] })),
  ]
  return (
    <SegmentedControl
      aria-label={messages.sources.filter}
      data={choices}
      value={status ?? everything}
      onChange={(value) =>
        void navigate({ search: { status: value === everything ? undefined : (value as Source['status']) }, replace: true })
      }
      w="fit-content"
      maw="100%"
    />
  )
}

function useColumns(): Column<Source>[] {
  const messages = useMessages(knowledgeMessages)
  const { columns } = messages.sources
  return [
    { key: 'source', header: columns.source, cell: (source) => <SourceLink source={source} /> },
    { key: 'type', header: columns.type, cell: ({ type }) => messages.types[type], width: 110 },
    { key: 'status', header: columns.status, cell: (source) => <SourceStatus source={source} />, width: 300 },
    { key: 'chunks', header: columns.chunks, cell: ({ chunksCount }) => number(chunksCount), align: 'right', width: 90 },
    { key: 'updated', header: columns.updated, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />, align: 'right', width: 150 },
  ]
}

function SourceLink({ source: { id, baseId, name } }: { source: Source }) {
  const { organization } = useWorkspace()
  return (
    <Link
      className="row-link"
      to="/$organization/knowledge/$baseId/sources/$sourceId"
      params={{ organization: organization.slug, baseId, sourceId: id }}
    >
      {name}
    </Link>
  )
}
