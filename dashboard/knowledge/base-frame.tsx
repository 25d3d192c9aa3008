import './knowledge.css'
import type { Scope } from '@groundwork/api'
import type { Base } from './records.ts'
import { Badge, Box, Button, Stack, UnstyledButton } from '@mantine/core'
import { IconMessageSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useLocation, type LinkProps } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { bytes } from '../lib/formats.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { Page } from '../shell/page.tsx'
import { RecordPage } from '../shell/record-gone.tsx'
import { ErrorState } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { baseQuery, retrievalStatsQuery } from './queries.ts'
import { sampleName } from './sample/name.ts'
import { SourceWarnings } from './source-warnings.tsx'
import { knowledgeMessages } from './messages.ts'

const SampleNote = lazy(() => import('./sample/sample-note.tsx'))

const route = getRouteApi('/$organization/knowledge/$baseId')

/** The layout of a knowledge base: its title, figures and tabs around the current page. */
export function BaseFrame() {
  const messages = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const { baseId } = route.useParams()
  const mayAsk = useMay('search:read')
  const base = useQuery(baseQuery(workspace, baseId))
  const [showsWarnings, setShowsWarnings] = useState(false)
  const warnings = base.data?.warnings ?? []
  const crumbs = [{ label: messages.title, to: '/$organization/knowledge' }] as const
  if (base.data === undefined && base.error !== null) {
    return (
      <Page title={messages.title} crumbs={crumbs}>
        <ErrorState error={base.error} retry={() => void base.refetch()} busy={base.isFetching} />
      </Page>
    )
  }
  return (
    <RecordPage query={base}>
      <Page
        guide="retrieval"
        title={base.data?.name ?? '…'}
        hasShortTitle
        description={
          <>
            {base.data?.description !== '' && (
              <Box className="cut" dir="auto" title={base.data?.description}>
                {base.data?.description}
              </Box>
            )}
            <Figures baseId={baseId} stats={base.data?.stats}>
              {warnings.length > 0 && (
                <li>
                  <UnstyledButton aria-expanded={showsWarnings} onClick={() => setShowsWarnings(!showsWarnings)}>
                    <Badge component="span" variant="light" color="yellow">
                      {messages.warnings(warnings.length)}
                    </Badge>
                  </UnstyledButton>
                </li>
              )}
            </Figures>
          </>
        }
        crumbs={crumbs}
        actions={mayAsk && <TryIt baseId={baseId} />}
      >
        {/* Shown on request, because the list below begins in the upper part of the screen. */}
        {showsWarnings && <SourceWarnings warnings={warnings} />}
        {base.data?.name === sampleName && (
          <Suspense>
            <SampleNote baseId={baseId} />
          </Suspense>
        )}
        <Tabs />
        <Outlet />
      </Page>
    </RecordPage>
  )
}

/** Leads to the playground with this knowledge base. */
function TryIt({ baseId }: { baseId: string }) {
  const messages = useMessages(knowledgeMessages)
  const { organization } = useWorkspace()
  return (
    <Button
      leftSection={<IconMessageSearch size={16} aria-hidden />}
      renderRoot={(props) => (
        <Link {...props} to="/$organization/playground" params={{ organization: organization.slug }} search={{ bases: [baseId] }} />
      )}
    >
      {messages.tryIt}
    </Button>
  )
}

interface FiguresProps {
  baseId: string
  stats: Base['stats'] | undefined
  children: ReactNode
}

/** Takes its place, and is neither visible nor read aloud. */
const unseen = { visibility: 'hidden' } as const
const noStats = { sources: 0, processing: 0, failed: 0, chunks: 0, bytes: 0 }

/** The figures of a knowledge base in one line, or in several on a phone. Until they are loaded, their place is empty, so that nothing moves. */
function Figures({ baseId, stats: loaded, children }: FiguresProps) {
  const { figures: words } = useMessages(knowledgeMessages)
  const mayReadSearches = useMay('retrievals:read')
  const { data } = useQuery({ ...retrievalStatsQuery(useWorkspace(), baseId), enabled: mayReadSearches })
  const stats = loaded ?? noStats
  const sum = (field: 'searches' | 'unanswered'): number => (data?.data ?? []).reduce((total, day) => total + day[field], 0)
  const ready = stats.sources - stats.processing - stats.failed
  return (
    <ul className="figures" aria-label={words.label} style={loaded === undefined ? unseen : undefined}>
      <li title={words.sourcesHelp}>
        {words.sources(stats.sources)}: {words.sourcesDetail(ready, stats.processing, stats.failed)}
      </li>
      <li title={words.chunksHelp}>{words.chunks(stats.chunks)}</li>
      <li title={words.sizeHelp}>{bytes(stats.bytes)}</li>
      {mayReadSearches && (
        <li title={words.searchesHelp}>
          <span style={data === undefined ? unseen : undefined}>{words.searches(sum('searches'), sum('unanswered'))}</span>
        </li>
      )}
      {children}
    </ul>
  )
}

function Tabs() {
  const { tabs } = useMessages(knowledgeMessages)
  const params = route.useParams()
  const { scopes } = useWorkspace().organization
  const all: { to: NonNullable<LinkProps['to']>; label: string; scope: Scope }[] = [
    { to: '/$organization/knowledge/$baseId/sources', label: tabs.sources, scope: 'sources:read' },
    { to: '/$organization/knowledge/$baseId/connect', label: tabs.connect, scope: 'search:read' },
    { to: '/$organization/knowledge/$baseId/settings', label: tabs.settings, scope: 'bases:read' },
    { to: '/$organization/knowledge/$baseId/reindex', label: tabs.reindex, scope: 'bases:read' },
    { to: '/$organization/knowledge/$baseId/evaluation', label: tabs.evaluation, scope: 'evaluations:read' },
    { to: '/$organization/knowledge/$baseId/searches', label: tabs.searches, scope: 'retrievals:read' },
  ]
  const nav = useRef<HTMLDivElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [path])
  return (
    <Stack component="nav" aria-label={tabs.label} className="tab-links" ref={nav}>
      {all
        .filter(({ scope }) => scopes.includes(scope))
        .map(({ to, label }) => (
          <Link key={to} to={to} params={params} activeProps={{ 'aria-current': 'page' }}>
            {label}
          </Link>
        ))}
    </Stack>
  )
}
