import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { whoIsSignedIn, type Membership, type User } from '../lib/session.ts'
import { NotFoundPage, Root } from './root.tsx'

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Root, notFoundComponent: NotFoundPage })

/** Loaded in parallel with the session. The router handles failures. */
const frame = () => import('./organization-frame.tsx')

/** The parent of all pages of an organization. Provides the user and the organization. */
export const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$organization',
  beforeLoad: async ({ context, params }): Promise<{ user: User; organization: Membership }> => {
    void frame().catch(() => undefined)
    const { user, organizations } = await whoIsSignedIn(context.queries)
    const organization = organizations.find(({ slug }) => slug === params.organization)
    if (organization === undefined) throw notFound()
    return { user, organization }
  },
  component: lazyRouteComponent(frame, 'OrganizationFrame'),
  notFoundComponent: NotFoundPage,
})
