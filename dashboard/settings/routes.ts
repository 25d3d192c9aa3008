import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../shell/root-route.ts'

const tokens = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/tokens',
  component: lazyRouteComponent(() => import('./tokens/tokens-page.tsx'), 'TokensPage'),
})

export const settingsRoutes = [tokens] as const
