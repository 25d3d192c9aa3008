import './home.css'
import { Box, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../lib/workspace.ts'
import { Page } from '../shell/page.tsx'
import { Loaded } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { Attention } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
import { homeLabel } from './label.ts'
import { overviewQuery } from './queries.ts'
import { Searches } from './searches.tsx'
import { Totals } from './totals.tsx'

/** The home page of an organization: items that need attention, search statistics and totals. */
export function HomePage() {
  const query = useQuery(overviewQuery(useWorkspace()))
  return (
    <Page title={useMessages(homeLabel)}>
      <Loaded query={query} skeleton={<HomeSkeleton />}>
        {({ attention, searches, totals }) => (
          <>
            <FirstSteps totals={totals} searches={searches} />
            <Box className="home-columns">
              <Attention attention={attention} />
              {searches && <Searches searches={searches} />}
            </Box>
            <Totals totals={totals} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Has the height of the page without items that need attention, to avoid a layout shift. */
function HomeSkeleton() {
  return (
    <Stack gap="lg">
      <Box className="home-columns">
        <Skeleton className="home-calm" />
        <Skeleton className="home-charts" />
      </Box>
      <Skeleton height={104} />
    </Stack>
  )
}
