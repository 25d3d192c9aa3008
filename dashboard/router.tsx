import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { authRoutes } from './auth/routes.ts'
import { companyRoutes } from './companies/routes.ts'
import { contactRoutes } from './contacts/routes.ts'
import { homeRoutes } from './home/routes.ts'
import { knowledgeRoutes } from './knowledge/routes.ts'
import { startingOrganization, whoIsSignedIn } from './lib/session.ts'
import { playgroundRoutes } from './playground/routes.ts'
import { proposalRoutes } from './proposals/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { NoOrganization } from './shell/no-organization.tsx'
import { PendingPage } from './shell/pending-page.tsx'
import { PageFailed } from './shell/root.tsx'
import { organizationRoute, rootRoute } from './shell/root-route.ts'

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const organization = startingOrganization((await whoIsSignedIn(context.queries)).organizations)
    if (organization !== undefined) throw redirect({ to: '/$organization', params: { organization: organization.slug }, replace: true })
  },
  component: NoOrganization,
})

const routes = rootRoute.addChildren([
  startRoute,
  ...authRoutes,
  organizationRoute.addChildren([
    ...homeRoutes,
    ...contactRoutes,
    ...companyRoutes,
    ...proposalRoutes,
    ...knowledgeRoutes,
    ...playgroundRoutes,
    ...settingsRoutes,
  ]),
])

export const createDashboardRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: routes,
    basepath: '/app',
    context: { queries },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: PageFailed,
    defaultPendingComponent: PendingPage,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>
  }
}
