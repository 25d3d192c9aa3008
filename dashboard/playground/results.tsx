import type { SearchReply } from '@groundwork/api'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconMoodEmpty } from '@tabler/icons-react'
import type { Named } from '../lib/choices.ts'
import { number } from '../lib/formats.ts'
import { EmptyState, Loaded, SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import type { Asked } from './asked.ts'
import { Hit } from './hit.tsx'
import { score } from './score.ts'
import { Timings } from './timings.tsx'
import { playgroundMessages } from './messages.ts'

/** Below it, a question is probably unanswered. docs/retrieval.md has the measurements. */
const answered = 0.5
/** Above it, a question is very probably answered. */
const likelyAnswered = 0.8

interface ResultsProps {
  query: { data: SearchReply | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
  asked: Asked
  ask: (next: Record<string, unknown>) => void
  bases: readonly Named[]
}

export function Results({ query, asked, ask, bases }: ResultsProps) {
  const messages = useMessages(playgroundMessages)
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={4} height={120} />}>
      {(reply) => (
        <Stack>
          <Summary reply={reply} />
          {reply.degraded.length > 0 && (
            <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={messages.degradedTitle}>
              {reply.degraded.map((step) => (
                <Text key={step} size="sm">
                  {messages.degraded[step] ?? step}
                </Text>
              ))}
            </Alert>
          )}
          <Verdict reply={reply} asked={asked} ask={ask} />
          <Stack component="ol" m={0} p={0} style={{ listStyle: 'none' }} aria-label={messages.resultsLabel}>
            {reply.data.map((hit, index) => (
              <Hit
                key={hit.chunkId}
                hit={hit}
                rank={index + 1}
                question={asked.q ?? reply.query}
                baseName={bases.length > 1 ? bases.find(({ id }) => id === hit.baseId)?.name : undefined}
              />
            ))}
          </Stack>
        </Stack>
      )}
    </Loaded>
  )
}

function Summary({ reply }: { reply: SearchReply }) {
  const messages = useMessages(playgroundMessages)
  const total = messages.milliseconds(number(Math.round(reply.timings.totalMs)))
  return (
    <Group justify="space-between" align="flex-start" gap="md">
      <div role="status">
        <Text component="h2" fw={600} m={0}>
          {messages.foundIn(messages.found(reply.data.length), total)}
        </Text>
        <Text size="sm" title={messages.confidenceHelp}>
          {messages.confidence[certainty(reply.confidence)](score(reply.confidence))}
        </Text>
        <Text size="sm" c="dimmed">
          {[messages.scoredBy[reply.scoredBy], ...(reply.belowThreshold > 0 ? [messages.belowThreshold(reply.belowThreshold)] : [])].join(
            ' · ',
          )}
        </Text>
      </div>
      <Timings timings={reply.timings} />
    </Group>
  )
}

const certainty = (confidence: number): 'likely' | 'possibly' | 'unlikely' =>
  confidence >= likelyAnswered ? 'likely' : confidence >= answered ? 'possibly' : 'unlikely'

/** Warns if the question is probably unanswered, and suggests a next step. */
function Verdict({ reply, asked, ask }: { reply: SearchReply; asked: Asked; ask: ResultsProps['ask'] }) {
  const messages = useMessages(playgroundMessages)
  if (reply.data.length === 0) {
    const { threshold, ...without } = asked
    const hasThreshold = threshold !== undefined && threshold > 0
    return (
      <EmptyState
        icon={IconMoodEmpty}
        title={messages.noneTitle}
        action={hasThreshold && <Button onClick={() => ask({ ...without, threshold: 0 })}>{messages.askWithout}</Button>}
      >
        {hasThreshold ? messages.noneAbove(number(threshold)) : messages.noneAtAll}
      </EmptyState>
    )
  }
  if (reply.confidence >= answered) return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={messages.weakTitle}>
      <Text size="sm">{messages.weak}</Text>
    </Alert>
  )
}
