import type { Source, SourceChunk } from './records.ts'
import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { NotFoundError } from '@groundwork/sdk'
import { duration } from '../lib/formats.ts'
import { rowsOf } from '../lib/pages.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { EmptyState, Loaded, SkeletonRows } from '../shell/states.tsx'
import { VirtualList } from '../shell/virtual-list.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { passagesOf, type Passage } from './chunked-text.ts'
import { chunksQuery, contentQuery } from './queries.ts'
import { knowledgeMessages } from './messages.ts'

interface SourceTextProps {
  source: Source
  /** The chunk to scroll to, such as a passage that a search found. */
  shownChunkId: string | undefined
}

/** Shows the extracted text of a source with its chunks. */
export function SourceText({ source: { baseId, id }, shownChunkId }: SourceTextProps) {
  const { source: words } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const content = useQuery(contentQuery(workspace, baseId, id))
  const chunks = useInfiniteQuery(chunksQuery(workspace, baseId, id))
  if (content.error instanceof NotFoundError) {
    return (
      <EmptyState icon={IconFileText} title={words.noText}>
        {words.noTextHelp}
      </EmptyState>
    )
  }
  return (
    <Loaded query={content} skeleton={<SkeletonRows />}>
      {({ text }) => (
        <Loaded query={chunks} skeleton={<SkeletonRows />}>
          {(data) => <Passages text={text} chunks={rowsOf(data)} more={chunks} shownChunkId={shownChunkId} />}
        </Loaded>
      )}
    </Loaded>
  )
}

interface PassagesProps {
  text: string
  chunks: readonly SourceChunk[]
  more: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => unknown }
  shownChunkId: string | undefined
}

function Passages({ text, chunks, more, shownChunkId }: PassagesProps) {
  const { source: words } = useMessages(knowledgeMessages)
  const shared = useMessages(sharedMessages)
  const passages = useMemo(() => passagesOf(text, chunks, !more.hasNextPage), [text, chunks, more.hasNextPage])
  const shown = shownChunkId === undefined ? -1 : passages.findIndex(({ chunk }) => chunk?.id === shownChunkId)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = more
  const isMissing = shownChunkId !== undefined && shown === -1
  const searchesNextPage = isMissing && hasNextPage && !isFetchNextPageError
  useEffect(() => {
    if (searchesNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [searchesNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <div>
      {isMissing && !hasNextPage && (
        <Alert color="yellow" mb="md">
          {words.chunkGone}
        </Alert>
      )}
      <VirtualList
        label={words.tabs.text}
        rows={passages}
        idOf={({ start, chunk }) => `${start} ${chunk?.id ?? ''}`}
        rowHeight={180}
        gap={4}
        scrollTo={shown === -1 ? undefined : shown}
      >
        {(passage, index) => <ShownPassage passage={passage} isShown={index === shown} />}
      </VirtualList>
      {more.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={more.isFetchingNextPage} onClick={() => void more.fetchNextPage()}>
            {shared.more}
          </Button>
        </Group>
      )}
    </div>
  )
}

function ShownPassage({ passage: { chunk, repeated, text }, isShown }: { passage: Passage; isShown: boolean }) {
  const { source: words, preview } = useMessages(knowledgeMessages)
  return (
    <div className={chunk === null ? 'passage outside' : 'passage'} aria-current={isShown ? 'true' : undefined}>
      <Group gap="xs" mb={4}>
        <Badge variant="light" color={chunk === null ? 'gray' : 'pine'}>
          {chunk === null ? words.noChunk : preview.chunk(chunk.ordinal + 1)}
        </Badge>
        {chunk !== null && <ChunkFacts chunk={chunk} />}
      </Group>
      <Text size="sm" className="read-text">
        {repeated !== '' && (
          <span className="repeated" title={words.repeated}>
            {repeated}
          </span>
        )}
        {text}
      </Text>
    </div>
  )
}

function ChunkFacts({ chunk: { tokens, page, pageEnd, startSecond, headingPath } }: { chunk: SourceChunk }) {
  const { source: words, preview } = useMessages(knowledgeMessages)
  const places = [page !== null && words.page(page, pageEnd), startSecond !== null && words.second(duration(startSecond))]
  return (
    <Text size="xs" c="dimmed" className="wrap">
      {[[preview.tokens(tokens), ...places.filter(Boolean)].join(', '), ...headingPath].join(' › ')}
    </Text>
  )
}
