import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { openWorkspace } from '../lib/workspace.ts'
import { newestAuditQuery } from '../settings/audit/queries.ts'
import { organizationRoute } from '../shell/root-route.ts'
import { overviewQuery } from './queries.ts'

const home = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  // Starts the requests while the page loads. The page shows the results or the failures.
  loader: ({ context: { queries, user, organization } }) => {
    const workspace = openWorkspace(user, organization)
    void queries.prefetchQuery(overviewQuery(workspace))
    if (organization.scopes.includes('audit:read')) void queries.prefetchQuery(newestAuditQuery(workspace))
  },
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
})

export const homeRoutes = [home] as const
