import type { SearchReply } from '@groundwork/api'
import { Box, Group, Progress, Text } from '@mantine/core'
import { number } from '../lib/formats.ts'
import { useMessages } from '../messages/messages.ts'
import { playgroundMessages } from './messages.ts'

const colors = { embed: 'pine.6', search: 'blue.5', rerank: 'grape.5', assemble: 'yellow.6', rest: 'gray.5' } as const
/** Shorter steps are hidden. */
const minMs = 0.05
const parts = ['embed', 'search', 'rerank', 'assemble', 'rest'] as const

/** Shows the duration of each step of a search, as a bar and as text. */
export function Timings({ timings }: { timings: SearchReply['timings'] }) {
  const messages = useMessages(playgroundMessages)
  const { embedMs, searchMs, rerankMs = 0, assembleMs, totalMs } = timings
  const restMs = Math.max(0, totalMs - embedMs - searchMs - rerankMs - assembleMs)
  const ms = { embed: embedMs, search: searchMs, rerank: rerankMs, assemble: assembleMs, rest: restMs }
  const shown = parts.filter((part) => ms[part] >= minMs)
  return (
    <Box w={{ base: '100%', sm: 420 }} role="group" aria-label={messages.timings.title}>
      <Progress.Root size="md" aria-hidden>
        {shown.map((part) => (
          <Progress.Section key={part} value={totalMs === 0 ? 0 : (ms[part] / totalMs) * 100} color={colors[part]} aria-hidden />
        ))}
      </Progress.Root>
      <Group component="ul" m={0} mt={4} p={0} gap="md" style={{ listStyle: 'none', rowGap: 4 }}>
        {shown.map((part) => (
          <Group key={part} component="li" gap={6}>
            <Box w={8} h={8} bg={colors[part]} bdrs="xl" aria-hidden />
            <Text size="xs" c="dimmed">
              {messages.timings[part]} {messages.milliseconds(number(Math.round(ms[part] * 10) / 10))}
            </Text>
          </Group>
        ))}
      </Group>
    </Box>
  )
}
