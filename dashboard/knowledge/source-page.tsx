import './knowledge.css'
import { hasPages } from '@groundwork/api/source-types'
import type { Source } from './records.ts'
import { Box, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { bytes, number } from '../lib/formats.ts'
import { saveFile } from '../lib/save-file.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { DownloadButton } from '../shell/download-button.tsx'
import { LoadedPage } from '../shell/loaded-page.tsx'
import { Page } from '../shell/page.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { sourceName } from './address-body.ts'
import { baseQuery, sourceQuery } from './queries.ts'
import { ReplaceContent } from './replace-content.tsx'
import { SourceMenu } from './source-menu.tsx'
import { SourceStatus } from './source-status.tsx'
import { SourceText } from './source-text.tsx'
import { SourceWarnings } from './source-warnings.tsx'
import { knowledgeMessages } from './messages.ts'

const SitePages = lazy(() => import('./site-pages.tsx'))
const SourceSettings = lazy(() => import('./source-settings.tsx'))

const route = getRouteApi('/$organization/knowledge/$baseId/sources/$sourceId')

export function SourcePage() {
  const messages = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const { baseId, sourceId } = route.useParams()
  const source = useQuery(sourceQuery(workspace, baseId, sourceId))
  const base = useQuery(baseQuery(workspace, baseId))
  const crumbs = [
    { label: messages.title, to: '/$organization/knowledge' },
    { label: base.data?.name ?? '…', to: '/$organization/knowledge/$baseId/sources' },
  ] as const
  const skeleton = (
    <>
      <Skeleton height={120} />
      <SkeletonRows />
    </>
  )
  return (
    <LoadedPage query={source} title={messages.sources.columns.source} crumbs={crumbs} skeleton={skeleton}>
      {(data) => <SourceDetails source={data} crumbs={crumbs} />}
    </LoadedPage>
  )
}

function SourceDetails({ source, crumbs }: { source: Source; crumbs: Parameters<typeof Page>[0]['crumbs'] }) {
  const messages = useMessages(knowledgeMessages)
  const isSite = hasPages(source.type)
  const { tab = isSite ? 'pages' : 'text', chunk } = route.useSearch()
  const tabs = [isSite ? ('pages' as const) : ('text' as const), 'settings' as const]
  return (
    <Page guide="sources" title={sourceName(source)} {...(crumbs && { crumbs })} actions={<Actions source={source} />}>
      <SourceStatus source={source} />
      <SourceWarnings warnings={source.warnings} />
      <Facts source={source} />
      <Stack component="nav" aria-label={messages.source.tabs.label} className="tab-links">
        {tabs.map((name) => (
          <Link key={name} from={route.id} search={{ tab: name }} replace aria-current={name === tab ? 'page' : undefined}>
            {messages.source.tabs[name]}
          </Link>
        ))}
      </Stack>
      <Suspense fallback={<SkeletonRows />}>
        {tab === 'text' && <SourceText source={source} shownChunkId={chunk} />}
        {tab === 'pages' && <SitePages source={source} />}
        {tab === 'settings' && <SourceSettings key={source.id} source={source} />}
      </Suspense>
    </Page>
  )
}

function Actions({ source }: { source: Source }) {
  const { source: words } = useMessages(knowledgeMessages)
  const { client } = useWorkspace()
  const mayRead = useMay('sources:read')
  return (
    <>
      {mayRead && !hasPages(source.type) && source.bytes !== null && (
        <DownloadButton
          label={words.original}
          help={words.originalHelp}
          download={async () => saveFile(await client.bases.sources.original(source.baseId, source.id), source.name)}
        />
      )}
      <ReplaceContent source={source} />
      <SourceMenu source={source} />
    </>
  )
}

function Facts({ source }: { source: Source }) {
  const { source: words, types } = useMessages(knowledgeMessages)
  const { facts } = words
  const rows: [string, React.ReactNode][] = [
    [facts.type, types[source.type]],
    [facts.url, source.url],
    [facts.mediaType, source.mediaType],
    [facts.size, source.bytes === null ? null : bytes(source.bytes)],
    [facts.pages, source.pages === null ? null : number(source.pages)],
    [facts.language, source.language],
    [facts.chunks, number(source.chunksCount)],
    [facts.model, source.embeddingModel],
    [facts.added, <RelativeTime key="added" at={source.createdAt} />],
    [facts.synced, source.lastSyncedAt === null ? null : <RelativeTime key="synced" at={source.lastSyncedAt} />],
    [facts.externalId, source.externalId],
    [facts.id, source.id],
  ]
  return (
    <Box component="dl" className="facts">
      {rows
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <Group key={name} gap="sm" wrap="nowrap" align="flex-start">
            <Text component="dt" size="sm" c="dimmed" w={130} flex="none">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0} className="wrap" miw={0}>
              {value}
            </Text>
          </Group>
        ))}
    </Box>
  )
}
