import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../shell/root-route.ts'
import { askedOf } from './asked.ts'

const playground = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/playground',
  validateSearch: askedOf,
  component: lazyRouteComponent(() => import('./playground-page.tsx'), 'PlaygroundPage'),
})

export const playgroundRoutes = [playground] as const
