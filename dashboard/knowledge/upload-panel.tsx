import {
  ActionIcon,
  Badge,
  Button,
  Code,
  Collapse,
  Group,
  Paper,
  Progress,
  Stack,
  Text,
  Title,
  Tooltip,
  UnstyledButton,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlayerPause, IconPlayerPlay, IconReload, IconX, type TablerIcon } from '@tabler/icons-react'
import { messageOf, requestIdOf } from '../lib/errors.ts'
import { bytes } from '../lib/formats.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { RequestId } from '../shell/request-id.tsx'
import { useMessages } from '../messages/messages.ts'
import { addSourceCalls } from './add-source-calls.ts'
import type { UploadItem, UploadQueue, UploadState } from './upload-queue.ts'
import { knowledgeMessages } from './messages.ts'

interface UploadPanelProps {
  queue: UploadQueue
  items: readonly UploadItem[]
  baseId: string
}

const colours: Record<UploadState, string> = {
  waiting: 'gray',
  sending: 'blue',
  paused: 'yellow',
  adding: 'blue',
  done: 'green',
  failed: 'red',
  cancelled: 'gray',
}

/** Shows the progress and the actions of uploads. */
export function UploadPanel({ queue, items, baseId }: UploadPanelProps) {
  const { upload: words } = useMessages(knowledgeMessages)
  const done = items.filter(({ state }) => state === 'done').length
  const has = (...states: UploadState[]): boolean => items.some(({ state }) => states.includes(state))
  return (
    <Paper withBorder p="md" component="section" aria-label={words.title}>
      <Group justify="space-between" mb="sm">
        <Group gap="sm">
          <Title order={2}>{words.title}</Title>
          <Text size="sm" c="dimmed" role="status">
            {words.summary(done, items.length)}
          </Text>
        </Group>
        <Group gap="xs">
          {has('waiting', 'sending') && (
            <Button variant="default" size="sm" onClick={queue.pauseAll}>
              {words.pauseAll}
            </Button>
          )}
          {has('paused') && (
            <Button variant="default" size="sm" onClick={queue.resumeAll}>
              {words.resumeAll}
            </Button>
          )}
          {has('failed') && (
            <Button size="sm" onClick={queue.retryFailed}>
              {words.retryFailed}
            </Button>
          )}
          {has('done', 'cancelled') && (
            <Button variant="default" size="sm" onClick={queue.clear}>
              {words.clear}
            </Button>
          )}
        </Group>
      </Group>
      <Progress value={percentSent(items)} aria-label={words.title} mb="md" />
      <ul className="upload-list" tabIndex={0} aria-label={words.title}>
        {items
          .toSorted((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'))
          .map((item) => (
            <Row key={item.id} item={item} queue={queue} baseId={baseId} />
          ))}
      </ul>
    </Paper>
  )
}

function percentSent(items: readonly UploadItem[]): number {
  const total = items.reduce((sum, { file }) => sum + file.size, 0)
  return total === 0 ? 100 : (items.reduce((sum, { sentBytes }) => sum + sentBytes, 0) / total) * 100
}

function Row({ item, queue, baseId }: { item: UploadItem; queue: UploadQueue; baseId: string }) {
  const { upload: words } = useMessages(knowledgeMessages)
  const [shown, { toggle }] = useDisclosure()
  const { id, file, state, sentBytes, error, storageUrl } = item
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
          <Badge variant="light" color={colours[state]}>
            {words.states[state]}
          </Badge>
          {(state === 'sending' || state === 'waiting') && (
            <FileAction icon={IconPlayerPause} label={words.pause} fileName={file.name} onClick={() => queue.pause(id)} />
          )}
          {state === 'paused' && (
            <FileAction icon={IconPlayerPlay} label={words.resume} fileName={file.name} onClick={() => queue.resume(id)} />
          )}
          {(state === 'failed' || state === 'cancelled') && (
            <FileAction icon={IconReload} label={words.retry} fileName={file.name} onClick={() => queue.retry(id)} />
          )}
          {['waiting', 'sending', 'paused', 'failed'].includes(state) && (
            <FileAction icon={IconX} label={words.cancel} fileName={file.name} onClick={() => queue.cancel(id)} />
          )}
        </Group>
      </Group>
      {state === 'sending' && <Progress size="sm" value={file.size === 0 ? 0 : (sentBytes / file.size) * 100} aria-label={file.name} />}
      {error !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert" className="wrap">
          {messageOf(error)} {requestId !== undefined && <RequestId id={requestId} />}
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
}

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
