import { ActionIcon, Badge, Button, Code, Collapse, Group, Progress, Stack, Text, Title, Tooltip, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp, IconPlayerPause, IconPlayerPlay, IconReload, IconX, type TablerIcon } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { rowsOf } from '../lib/pages.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { messageOf, requestIdOf } from '../lib/errors.ts'
import { bytes } from '../lib/formats.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { useIsNarrow } from '../shell/narrow.ts'
import { RequestId } from '../shell/request-id.tsx'
import { useMessages } from '../messages/messages.ts'
import { addSourceCalls } from './add-source-calls.ts'
import { sourcesKeys, sourcesQuery } from './queries.ts'
import type { Source } from './records.ts'
import { useUploads } from './uploads.ts'
import type { Twin, UploadItem, UploadQueue, UploadState } from './upload-queue.ts'
import { sourceFailures } from './failures.ts'
import { knowledgeMessages } from './messages.ts'

const colors: Record<UploadState, string> = {
  waiting: 'gray',
  sending: 'blue',
  paused: 'yellow',
  adding: 'blue',
  done: 'green',
  failed: 'red',
  cancelled: 'gray',
  held: 'yellow',
}

/** Shows the progress and the actions of uploads, the failed ones first. */
export function UploadPanel({ baseId }: { baseId: string }) {
  const { queue, items } = useUploads(baseId)
  return items.length > 0 && <Uploads queue={queue} items={items} baseId={baseId} />
}

interface UploadsProps {
  queue: UploadQueue
  items: readonly UploadItem[]
  baseId: string
}

function Uploads({ queue, items, baseId }: UploadsProps) {
  const { upload: words } = useMessages(knowledgeMessages)
  const failedSources = useFailedSources(baseId, items)
  const retrySources = useRetrySources(baseId)
  const isNarrow = useIsNarrow()
  const [shown, { toggle }] = useDisclosure(!isNarrow)
  const rows = items.map((item) => ({ item, failed: failedSources.find(({ id }) => id === item.source?.id) }))
  const isFailed = ({ item, failed }: (typeof rows)[number]): boolean => item.state === 'failed' || failed !== undefined
  const isHeld = ({ item }: (typeof rows)[number]): boolean => item.state === 'held'
  const failures = rows.filter(isFailed)
  const done = items.filter(({ state }) => state === 'done').length
  const has = (...states: UploadState[]): boolean => items.some(({ state }) => states.includes(state))
  const retryAll = (): void => {
    queue.retryFailed()
    retrySources.mutate(failures.flatMap(({ failed }) => failed?.id ?? []))
  }
  return (
    <section className="uploads" aria-label={words.title}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Title order={2} size="h4">
            {words.title}
          </Title>
          <Text size="sm" c="dimmed" role="status">
            {words.summary(done, items.length)}
            {failures.length > 0 && (
              <Text span inherit c="var(--mantine-color-error)">
                {`, ${words.failed(failures.length)}`}
              </Text>
            )}
          </Text>
        </Group>
        <Group gap="xs">
          {failures.length > 0 && (
            <Button size="compact-sm" mih={32} onClick={retryAll} loading={retrySources.isPending}>
              {words.retryFailed}
            </Button>
          )}
          {items.filter(({ state }) => state === 'held').length > 1 && (
            <Button variant="default" size="compact-sm" mih={32} onClick={queue.skipHeld}>
              {words.skipHeld}
            </Button>
          )}
          {has('waiting', 'sending') && (
            <Button variant="default" size="compact-sm" mih={32} onClick={queue.pauseAll}>
              {words.pauseAll}
            </Button>
          )}
          {has('paused') && (
            <Button variant="default" size="compact-sm" mih={32} onClick={queue.resumeAll}>
              {words.resumeAll}
            </Button>
          )}
          {has('done', 'cancelled') && (
            <Button variant="default" size="compact-sm" mih={32} onClick={queue.clear}>
              {words.clear}
            </Button>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            onClick={toggle}
            aria-expanded={shown}
            aria-label={shown ? words.hide : words.show}
          >
            {shown ? <IconChevronDown size={16} aria-hidden /> : <IconChevronUp size={16} aria-hidden />}
          </ActionIcon>
        </Group>
      </Group>
      <Progress value={percentSent(items)} size="sm" aria-label={words.title} mt={8} />
      {shown && (
        <ul className="upload-list" tabIndex={0} aria-label={words.title}>
          {[...failures, ...rows.filter(isHeld), ...rows.filter((row) => !isFailed(row) && !isHeld(row))].map(({ item, failed }) => (
            <Row key={item.id} item={item} failed={failed} queue={queue} baseId={baseId} onRetrySource={retrySources.mutate} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Returns the sources whose processing failed, without a request before the first file is added. */
function useFailedSources(baseId: string, items: readonly UploadItem[]): readonly Source[] {
  const isAdded = items.some(({ state }) => state === 'done')
  const { data } = useInfiniteQuery({ ...sourcesQuery(useWorkspace(), baseId, { status: 'failed' }), enabled: isAdded })
  return data === undefined ? [] : rowsOf(data).filter(({ status }) => status === 'failed')
}

function useRetrySources(baseId: string) {
  const { sources: words } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  return useChange(
    async (ids: string[]) => {
      for (const id of ids) await workspace.client.bases.sources.retry(baseId, id)
    },
    { invalidates: () => sourcesKeys(workspace, baseId), refusals: { conflict: words.statusChanged } },
  )
}

function percentSent(items: readonly UploadItem[]): number {
  const total = items.reduce((sum, { file }) => sum + file.size, 0)
  return total === 0 ? 100 : (items.reduce((sum, { sentBytes }) => sum + sentBytes, 0) / total) * 100
}

interface RowProps {
  item: UploadItem
  /** The source of the file, if its processing failed. */
  failed: Source | undefined
  queue: UploadQueue
  baseId: string
  onRetrySource: (ids: string[]) => void
}

/** Each progress of an upload renders only its own row again. */
const Row = memo(function Row({ item, failed, queue, baseId, onRetrySource }: RowProps) {
  const { upload: words } = useMessages(knowledgeMessages)
  const failures = useMessages(sourceFailures)
  const [shown, { toggle }] = useDisclosure()
  const { id, file, sentBytes, error, storageUrl } = item
  const state = failed === undefined ? item.state : 'failed'
  const requestId = requestIdOf(error)
  return (
    <Stack component="li" gap={4} className="upload">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" className="wrap" miw={0}>
          {file.name}{' '}
          <Text span size="xs" c="dimmed">
            {bytes(file.size)}
          </Text>
        </Text>
        <Group gap={4} wrap="nowrap">
          <Badge variant="light" color={colors[state]}>
            {words.states[state]}
          </Badge>
          {(state === 'sending' || state === 'waiting') && (
            <FileAction icon={IconPlayerPause} label={words.pause} fileName={file.name} onClick={() => queue.pause(id)} />
          )}
          {state === 'paused' && (
            <FileAction icon={IconPlayerPlay} label={words.resume} fileName={file.name} onClick={() => queue.resume(id)} />
          )}
          {(state === 'failed' || state === 'cancelled') && (
            <FileAction
              icon={IconReload}
              label={words.retry}
              fileName={file.name}
              onClick={() => (failed === undefined ? queue.retry(id) : onRetrySource([failed.id]))}
            />
          )}
          {['waiting', 'sending', 'paused', 'failed'].includes(item.state) && (
            <FileAction icon={IconX} label={words.cancel} fileName={file.name} onClick={() => queue.cancel(id)} />
          )}
        </Group>
      </Group>
      {state === 'sending' && <Progress size="sm" value={file.size === 0 ? 0 : (sentBytes / file.size) * 100} aria-label={file.name} />}
      {state === 'held' && item.twin !== undefined && <Held item={item} twin={item.twin} queue={queue} />}
      {error !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert" className="wrap">
          {messageOf(error)} {requestId !== undefined && <RequestId id={requestId} />}
        </Text>
      )}
      {failed?.errorCode != null && (
        <Text size="xs" c="var(--mantine-color-error)" className="wrap">
          {failures[failed.errorCode]}
        </Text>
      )}
      {storageUrl !== undefined && (
        <>
          <UnstyledButton onClick={toggle} aria-expanded={shown} className="quiet-link">
            {words.byApi}
          </UnstyledButton>
          <Collapse expanded={shown}>{shown && <ByApi storageUrl={storageUrl} name={file.name} baseId={baseId} />}</Collapse>
        </>
      )}
    </Stack>
  )
})

function FileAction({ icon: Icon, label, fileName, onClick }: { icon: TablerIcon; label: string; fileName: string; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={`${label}: ${fileName}`} onClick={onClick}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function ByApi({ storageUrl, name, baseId }: { storageUrl: string; name: string; baseId: string }) {
  const { upload: words } = useMessages(knowledgeMessages)
  const calls = addSourceCalls({ origin: window.location.origin, baseId, name, storageUrl })
  return (
    <Stack gap="xs" py="xs">
      <Text size="xs" c="dimmed">
        {words.byApiHelp}
      </Text>
      <Snippet label={words.storageUrl} text={storageUrl} />
      <Snippet label={words.curl} text={calls.curl} />
      <Snippet label={words.typescript} text={calls.typescript} />
    </Stack>
  )
}

function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <Group justify="space-between">
        <Text size="xs" fw={600}>
          {label}
        </Text>
        <CopyButton value={text} name={label} />
      </Group>
      <Code block className="snippet" tabIndex={0}>
        {text}
      </Code>
    </div>
  )
}

/** Says why a file is held, and asks what to do with it. */
function Held({ item: { id, file }, twin, queue }: { item: UploadItem; twin: Twin; queue: UploadQueue }) {
  const { upload: words } = useMessages(knowledgeMessages)
  const button = (label: string, onClick: () => void) => (
    <Button size="compact-sm" mih={32} variant="default" aria-label={`${label}: ${file.name}`} onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <Group gap="xs" role="status">
      <Text size="xs" className="wrap">
        {twin.kind === 'renamed' ? words.twins.renamed(twin.name) : words.twins[twin.kind]}
      </Text>
      {button(words.skip, () => queue.cancel(id))}
      {twin.kind === 'other' && button(words.replaceTwin, () => queue.decide(id, 'replace'))}
      {button(words.addAnyway, () => queue.decide(id, 'add'))}
    </Group>
  )
}
