import './hit.css'
import type { SearchHit } from '@groundwork/api'
import { Anchor, Badge, Box, Button, Collapse, Group, Paper, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBookmarkPlus, IconChevronDown, IconExternalLink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { duration } from '../lib/formats.ts'
import { readableLine } from '../lib/text-parts.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { ReadText } from '../shell/read-text.tsx'
import { bestAnswer, highlighted } from './highlights.ts'
import { SaveQuestion } from './save-question.tsx'
import { score } from './score.ts'
import { ScoreParts } from './score-parts.tsx'
import { playgroundMessages } from './messages.ts'

interface HitProps {
  hit: SearchHit
  rank: number
  question: string
  /** Undefined if the search used a single knowledge base. */
  baseName: string | undefined
}

/** Characters of a passage that is shown as a whole. */
const shortLength = 500
export function Hit({ hit, rank, question, baseName }: HitProps) {
  const messages = useMessages(playgroundMessages)
  const mayWrite = useMay('evaluations:write')
  const [explained, { toggle }] = useDisclosure()
  const [saving, { open, close }] = useDisclosure()
  const [whole, setWhole] = useState(false)
  const [best] = hit.highlights
  const answer = bestAnswer(hit)
  const { before = [], after = [] } = hit.neighbours ?? {}
  const isLong = [...before, hit, ...after].reduce((sum, { text }) => sum + text.length, 0) > shortLength
  const matched = hit.explanation?.words.map(({ word }) => word) ?? []
  return (
    <Paper component="li" id={hit.chunkId} tabIndex={-1} withBorder p="md" aria-label={messages.rankOf(rank)}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Box miw={0}>
            <SourceLink hit={hit} />
            <Text size="xs" c="dimmed" className="wrap">
              {[baseName, ...useCitation(hit.citation)].filter((part) => part !== undefined && part !== '').join(' · ')}
            </Text>
          </Box>
          <Badge variant="light" size="lg" flex="none" aria-label={`${messages.score} ${score(hit.score)}`}>
            {score(hit.score)}
          </Badge>
        </Group>
        {isLong && answer !== undefined && (
          <Text fw={600} className="wrap" lineClamp={4}>
            <VisuallyHidden>{messages.bestAnswer}: </VisuallyHidden>
            {readableLine(answer)}
          </Text>
        )}
        {/* The focus can move into a table that is cut off. */}
        <Stack gap="sm" className={isLong && !whole ? 'cut-passage' : ''} onFocus={() => setWhole(true)}>
          <Neighbours label={messages.before} all={before} />
          <ReadText text={hit.text} marked={best && { ...best, label: messages.bestAnswer }}>
            {(piece) =>
              highlighted(piece, matched).map(({ text, matched: isMatched }, index) =>
                isMatched ? <strong key={index}>{text}</strong> : <span key={index}>{text}</span>,
              )
            }
          </ReadText>
          <Neighbours label={messages.after} all={after} />
        </Stack>
        {hit.duplicates > 0 && (
          <Text size="xs" c="dimmed">
            {messages.duplicates(hit.duplicates)}
          </Text>
        )}
        <Group gap="xs">
          {isLong && (
            <Button variant="subtle" size="sm" onClick={() => setWhole(!whole)} aria-expanded={whole}>
              {whole ? messages.showLess : messages.showWhole}
            </Button>
          )}
          <Button
            variant="subtle"
            size="sm"
            onClick={toggle}
            aria-expanded={explained}
            rightSection={<IconChevronDown size={16} aria-hidden />}
          >
            {messages.explain}
          </Button>
          {mayWrite && (
            <Button variant="subtle" size="sm" onClick={open} leftSection={<IconBookmarkPlus size={16} aria-hidden />}>
              {messages.saveQuestion}
            </Button>
          )}
        </Group>
        <Collapse expanded={explained}>{explained && <ScoreParts hit={hit} />}</Collapse>
      </Stack>
      {saving && <SaveQuestion hit={hit} question={question} onClose={close} />}
    </Paper>
  )
}

function SourceLink({ hit }: { hit: SearchHit }) {
  const messages = useMessages(playgroundMessages)
  const { organization } = useWorkspace()
  return (
    <Group gap="xs" wrap="nowrap">
      <Anchor
        fw={600}
        className="wrap"
        renderRoot={(props) => (
          <Link
            {...props}
            to="/$organization/knowledge/$baseId/sources/$sourceId"
            params={{ organization: organization.slug, baseId: hit.baseId, sourceId: hit.sourceId }}
            search={{ chunk: hit.chunkId }}
          />
        )}
      >
        {hit.citation.title ?? hit.sourceName}
      </Anchor>
      {hit.url !== null && (
        <Anchor href={hit.url} target="_blank" rel="noreferrer" aria-label={messages.openUrl} title={messages.openUrl}>
          <IconExternalLink size={16} aria-hidden />
        </Anchor>
      )}
    </Group>
  )
}

function useCitation({ title, page, pageEnd, startSecond, headingPath }: SearchHit['citation']): string[] {
  const messages = useMessages(playgroundMessages)
  const pages = page === null ? '' : pageEnd === null || pageEnd === page ? messages.page(page) : messages.pages(page, pageEnd)
  const at = startSecond === null ? '' : messages.at(duration(startSecond))
  return [pages, at, headingPath.filter((heading) => heading !== title).join(' › ')]
}

function Neighbours({ label, all }: { label: string; all: readonly { chunkId: string; text: string }[] }) {
  if (all.length === 0) return null
  return (
    <Box className="beside">
      <VisuallyHidden>{label}:</VisuallyHidden>
      {all.map(({ chunkId, text }) => (
        <ReadText key={chunkId} text={text} c="dimmed" />
      ))}
    </Box>
  )
}
