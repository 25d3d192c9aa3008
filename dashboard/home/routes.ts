import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../shell/root-route.ts'

const home = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
})

export const homeRoutes = [home] as const
