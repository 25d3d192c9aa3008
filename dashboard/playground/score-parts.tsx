import type { SearchHit } from '@groundwork/api'
import { Box, Code, Group, Progress, Stack, Text } from '@mantine/core'
import { percent } from '../lib/formats.ts'
import { useMessages } from '../messages/messages.ts'
import { score } from './score.ts'
import { playgroundMessages } from './messages.ts'

const parts = ['vector', 'lexical', 'agreement', 'sentence', 'rerank'] as const

/** Explains a score by its parts and by the contribution of each word. */
export function ScoreParts({ hit: { scores, explanation } }: { hit: SearchHit }) {
  const messages = useMessages(playgroundMessages)
  return (
    <Stack gap="sm">
      {parts
        .filter((part) => part !== 'rerank' || typeof scores.rerank === 'number')
        .map((part) => (
          <Bar
            key={part}
            label={messages.parts[part]}
            help={messages.partsHelp[part]}
            value={scores[part] ?? null}
            placeholder={messages.notCompared}
          />
        ))}
      {explanation !== undefined && (
        <>
          <Text size="sm" fw={500}>
            {messages.wordShares}
          </Text>
          {explanation.words.length === 0 && (
            <Text size="sm" c="dimmed">
              {messages.noWords}
            </Text>
          )}
          {explanation.words.map(({ word, bm25 }) => (
            <Bar key={word} label={word} value={explanation.bm25 === 0 ? 0 : bm25 / explanation.bm25} format={percent} placeholder="" />
          ))}
          <Text size="sm" fw={500}>
            {messages.formula}
          </Text>
          <Code block className="wrap" style={{ whiteSpace: 'pre-wrap' }}>
            {/* Its steps are separated by semicolons. */}
            {explanation.formula.replaceAll('; ', '\n')}
          </Code>
        </>
      )}
    </Stack>
  )
}

interface BarProps {
  label: string
  help?: string
  value: number | null
  placeholder: string
  format?: (value: number) => string
}

function Bar({ label, help, value, placeholder, format = score }: BarProps) {
  return (
    <Box>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" className="wrap">
          {label}
          {help !== undefined && (
            <Text span size="xs" c="dimmed">
              {' '}
              {help}
            </Text>
          )}
        </Text>
        <Text size="sm" ff="monospace" flex="none">
          {value === null ? placeholder : format(value)}
        </Text>
      </Group>
      {value !== null && <Progress value={value * 100} size="sm" aria-hidden />}
    </Box>
  )
}
