import type { Source } from './records.ts'
import { Badge, Group, Progress, Stack, Text } from '@mantine/core'
import { duration, number } from '../lib/formats.ts'
import { useWords } from '../words/words.ts'
import { knowledgeWords } from './words.ts'

const colours = { processing: 'blue', completed: 'green', failed: 'red' } as const

/** Shows the status of a source: its stage and progress, or the failure and the next step. */
export function SourceStatus({ source }: { source: Source }) {
  const words = useWords(knowledgeWords)
  const { status, stage, errorCode, enabled } = source
  return (
    <Stack gap={4} align="stretch">
      <Group gap={6} wrap="wrap" justify="inherit">
        <Badge variant="light" color={colours[status]}>
          {status === 'processing' ? words.stages[stage] : words.statuses[status]}
        </Badge>
        {!enabled && (
          <Badge variant="light" color="gray">
            {words.sources.excluded}
          </Badge>
        )}
      </Group>
      {status === 'processing' && <StageProgress source={source} />}
      {errorCode !== null && (
        <Text size="xs" c={status === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'} className="wrap">
          {status === 'completed' && `${words.sources.previousContentServes} `}
          {words.failures[errorCode]}
        </Text>
      )}
    </Stack>
  )
}

function StageProgress({ source: { stage, progress } }: { source: Source }) {
  const words = useWords(knowledgeWords)
  const { done, total, remainingSeconds } = progress
  if (total === 0) return null
  return (
    <>
      <Progress value={(done / total) * 100} size="sm" aria-label={words.stages[stage]} />
      <Text size="xs" c="dimmed">
        {words.progress(number(done), number(total))}
        {remainingSeconds !== null && `, ${words.remaining(duration(remainingSeconds))}`}
      </Text>
    </>
  )
}
