import { hasPages } from '@groundwork/api/source-types'
import type { Source } from './records.ts'
import { Badge, Progress, Stack, Text } from '@mantine/core'
import { duration, number } from '../lib/formats.ts'
import { useMessages } from '../messages/messages.ts'
import { sourceFailures } from './failures.ts'
import { knowledgeMessages } from './messages.ts'

const colors = { processing: 'blue', completed: 'green', failed: 'red' } as const

/** Shows the status of a source: its stage and progress, or the failure and the next step. */
export function SourceStatus({ source }: { source: Source }) {
  const messages = useMessages(knowledgeMessages)
  const failures = useMessages(sourceFailures)
  const { status, stage, errorCode, enabled } = source
  return (
    <Stack gap={4} align="stretch">
      {/* Inline, so that they are aligned as the text below them: to the end in a card. */}
      <div>
        <Badge variant="light" color={colors[status]}>
          {status === 'processing' ? messages.stages[stage] : messages.statuses[status]}
        </Badge>{' '}
        {!enabled && (
          <Badge variant="light" color="gray">
            {messages.sources.excluded}
          </Badge>
        )}
      </div>
      {status === 'processing' && <StageProgress source={source} />}
      {stage === 'fetching' && isFirstCrawl(source) && (source.pages ?? 0) > 0 && (
        <Text size="xs" c="dimmed">
          {messages.searchableSoFar(source.pages ?? 0)}
        </Text>
      )}
      {errorCode !== null && (
        <Text size="xs" c={status === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'} className="wrap">
          {status === 'completed' && `${messages.sources.previousContentServes} `}
          {failures[errorCode]}
        </Text>
      )}
    </Stack>
  )
}

const isFirstCrawl = ({ type, status, lastSyncedAt }: Source): boolean => hasPages(type) && status === 'processing' && lastSyncedAt === null

function StageProgress({ source: { stage, progress } }: { source: Source }) {
  const messages = useMessages(knowledgeMessages)
  const { done, total, remainingSeconds } = progress
  if (total === 0) return null
  return (
    <>
      <Progress value={(done / total) * 100} size="sm" aria-label={messages.stages[stage]} />
      <Text size="xs" c="dimmed">
        {messages.progress(number(done), number(total))}
        {remainingSeconds !== null &&
          `, ${remainingSeconds < 60 ? messages.remainingShort : messages.remaining(duration(Math.round(remainingSeconds / 60) * 60))}`}
      </Text>
    </>
  )
}
