import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../shell/root-route.ts'

const bases = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/knowledge',
  component: lazyRouteComponent(() => import('./bases-page.tsx'), 'BasesPage'),
})

const base = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/knowledge/$baseId',
  component: lazyRouteComponent(() => import('./base-page.tsx'), 'BasePage'),
})

export const knowledgeRoutes = [bases, base] as const
