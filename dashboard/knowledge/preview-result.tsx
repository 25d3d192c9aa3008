import type { Preview } from './records.ts'
import { Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { ReadText } from '../shell/read-text.tsx'
import { number } from '../lib/formats.ts'
import { useMessages } from '../messages/messages.ts'
import { Outline } from './outline.tsx'
import { knowledgeMessages } from './messages.ts'
import { SourceWarnings } from './source-warnings.tsx'

/** The chunks that a document would be split into. */
export function PreviewResult({ preview }: { preview: Preview }) {
  const { preview: words } = useMessages(knowledgeMessages)
  const { title, canonicalUrl, mediaType, pages, characters, chunksCount, chunks, outline, warnings } = preview
  return (
    <Stack gap="sm" role="status">
      <div>
        <Text fw={600} className="wrap">
          {title ?? words.untitled}
        </Text>
        {canonicalUrl !== null && (
          <Text size="xs" c="dimmed" className="wrap">
            {canonicalUrl}
          </Text>
        )}
        <Text size="sm">{words.facts(mediaType, number(characters), words.chunks(chunksCount))}</Text>
      </div>
      <SourceWarnings warnings={warnings} />
      <Outline entries={outline} pages={pages} />
      {chunks.length < chunksCount && (
        <Text size="xs" c="dimmed">
          {words.more(chunks.length, chunksCount)}
        </Text>
      )}
      <Stack gap="xs" className="preview-chunks" tabIndex={0} aria-label={words.chunks(chunks.length)} role="region">
        {chunks.map(({ ordinal, text, headingPath, tokens }) => (
          <Paper key={ordinal} withBorder p="xs">
            <Group gap="xs" mb={4}>
              <Badge variant="light" color="gray">
                {words.chunk(ordinal + 1)}
              </Badge>
              <Text size="xs" c="dimmed" className="wrap">
                {[words.tokens(tokens), ...headingPath].join(' › ')}
              </Text>
            </Group>
            <ReadText text={text} />
          </Paper>
        ))}
      </Stack>
    </Stack>
  )
}
