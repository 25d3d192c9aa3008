import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { openWorkspace } from '../lib/workspace.ts'
import { organizationRoute } from '../shell/root-route.ts'
import { overviewQuery } from './queries.ts'

const home = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  // Starts the request while the page loads. The page shows the result or the failure.
  loader: ({ context: { queries, user, organization } }) => void queries.prefetchQuery(overviewQuery(openWorkspace(user, organization))),
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
})

export const homeRoutes = [home] as const
