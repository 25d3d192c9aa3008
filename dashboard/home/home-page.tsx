import './home.css'
import { Box, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { Page } from '../shell/page.tsx'
import { Loaded } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { Activity } from './activity.tsx'
import { Attention } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
import { homeLabel } from './label.ts'
import { Pipeline } from './pipeline.tsx'
import { overviewQuery } from './queries.ts'
import { Searches } from './searches.tsx'
import { Totals } from './totals.tsx'

/** The home page of an organization: items that need attention, recent changes, the value of proposals, search statistics and totals. */
export function HomePage() {
  const query = useQuery(overviewQuery(useWorkspace()))
  const mayReadAudit = useMay('audit:read')
  return (
    <Page title={useMessages(homeLabel)}>
      <Loaded query={query} skeleton={<HomeSkeleton />}>
        {({ attention, searches, pipeline, pipelineSince, totals }) => (
          <>
            <FirstSteps totals={totals} searches={searches} />
            <Box className="home-columns">
              <Box className="home-column">
                <Attention attention={attention} />
                {mayReadAudit ? <Activity /> : searches && <Searches searches={searches} />}
              </Box>
              <Box className="home-column">
                {pipeline && <Pipeline pipeline={pipeline} since={pipelineSince ?? undefined} />}
                {mayReadAudit && searches && <Searches searches={searches} />}
                <Totals totals={totals} />
              </Box>
            </Box>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Has the height of the page without items that need attention, to avoid a layout shift. */
function HomeSkeleton() {
  const mayReadAudit = useMay('audit:read')
  return (
    <Box className="home-columns">
      <Box className="home-column">
        <Skeleton className="home-calm" />
        <Skeleton className={mayReadAudit ? 'home-activity' : 'home-charts'} />
      </Box>
      <Box className="home-column">
        <Skeleton className="home-pipeline" />
        {mayReadAudit && <Skeleton className="home-charts" />}
        <Skeleton height={220} />
      </Box>
    </Box>
  )
}
