import type { OutlineEntry, Source, SourceChunk } from './records.ts'
import { Alert, Badge, Group, Text } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { NotFoundError } from '@groundwork/sdk'
import { duration } from '../lib/formats.ts'
import { rowsOf } from '../lib/pages.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { ReadText } from '../shell/read-text.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../shell/states.tsx'
import { MoreButton } from '../shell/more-button.tsx'
import { VirtualList } from '../shell/virtual-list.tsx'
import { useMessages } from '../messages/messages.ts'
import { passageAt, passagesOf, type Passage } from './chunked-text.ts'
import { Outline } from './outline.tsx'
import { chunksQuery, contentQuery } from './queries.ts'
import { knowledgeMessages } from './messages.ts'

/** As long as the text of most sources: a scroll bar that appeared with the text would move the rest of the page. */
const skeleton = <SkeletonRows rows={16} />

interface SourceTextProps {
  source: Source
  /** The chunk to scroll to, such as a passage that a search found. */
  shownChunkId: string | undefined
}

/** Shows the extracted text of a source with its chunks, beside its outline. */
export function SourceText({ source: { baseId, id }, shownChunkId }: SourceTextProps) {
  const { source: words } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const content = useQuery(contentQuery(workspace, baseId, id))
  const chunks = useInfiniteQuery(chunksQuery(workspace, baseId, id))
  const [entry, show] = useState<OutlineEntry>()
  if (content.error instanceof NotFoundError) {
    return (
      <EmptyState icon={IconFileText} title={words.noText}>
        {words.noTextHelp}
      </EmptyState>
    )
  }
  return (
    <Loaded query={content} skeleton={skeleton}>
      {({ text, outline, pages }) => (
        <div className="with-outline">
          <Outline entries={outline} pages={pages} current={entry?.start} onShow={(chosen) => show({ ...chosen })} />
          <Loaded query={chunks} skeleton={skeleton}>
            {(data) => <Passages text={text} chunks={rowsOf(data)} more={chunks} shownChunkId={shownChunkId} entry={entry} />}
          </Loaded>
        </div>
      )}
    </Loaded>
  )
}

interface PassagesProps {
  text: string
  chunks: readonly SourceChunk[]
  more: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => unknown }
  shownChunkId: string | undefined
  /** The chosen entry of the outline, which precedes `shownChunkId`. */
  entry: OutlineEntry | undefined
}

function Passages({ text, chunks, more, shownChunkId, entry }: PassagesProps) {
  const { source: words } = useMessages(knowledgeMessages)
  const passages = useMemo(() => passagesOf(text, chunks, !more.hasNextPage), [text, chunks, more.hasNextPage])
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = more
  const shown =
    entry === undefined
      ? passages.findIndex(({ chunk }) => shownChunkId !== undefined && chunk?.id === shownChunkId)
      : passageAt(passages, entry.start, !hasNextPage)
  const isMissing = (entry !== undefined || shownChunkId !== undefined) && shown === -1
  const searchesNextPage = isMissing && hasNextPage && !isFetchNextPageError
  useEffect(() => {
    if (searchesNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [searchesNextPage, isFetchingNextPage, fetchNextPage])
  const target = useMemo(() => (shown === -1 ? undefined : { index: shown, focus: entry !== undefined }), [shown, entry])
  return (
    <div>
      {isMissing && !hasNextPage && entry === undefined && (
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
        scrollTo={target}
      >
        {(passage, index) => <ShownPassage passage={passage} isShown={index === shown} />}
      </VirtualList>
      {more.hasNextPage && (
        <Group justify="center" mt="md">
          <MoreButton query={more} />
        </Group>
      )}
    </div>
  )
}

function ShownPassage({ passage: { chunk, header, repeated, text }, isShown }: { passage: Passage; isShown: boolean }) {
  const { source: words, preview } = useMessages(knowledgeMessages)
  return (
    <div className={chunk === null ? 'passage outside' : 'passage'} aria-current={isShown ? 'true' : undefined}>
      <Group gap="xs" mb={4}>
        <Badge variant="light" color={chunk === null ? 'gray' : 'pine'}>
          {chunk === null ? words.noChunk : preview.chunk(chunk.ordinal + 1)}
        </Badge>
        {chunk !== null && <ChunkFacts chunk={chunk} />}
      </Group>
      {repeated !== '' && (
        <div className="repeated" title={words.repeated}>
          <ReadText text={repeated} />
        </div>
      )}
      <ReadText text={header + (repeated === '' ? text : text.trimStart())} />
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
