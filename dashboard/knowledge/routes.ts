import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { oneOf, optionalId } from '../lib/search-params.ts'
import { connectSearchOf } from './connect/search.ts'
import { searchLogFilterOf } from './search-log-filter.ts'
import { sourceSearchOf } from './source-filter.ts'
import { organizationRoute } from '../shell/root-route.ts'

const bases = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/knowledge',
  component: lazyRouteComponent(() => import('./bases-page.tsx'), 'BasesPage'),
})

/** The layout around the pages of a knowledge base. */
const base = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/knowledge/$baseId',
  component: lazyRouteComponent(() => import('./base-frame.tsx'), 'BaseFrame'),
})

const start = createRoute({
  getParentRoute: () => base,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$organization/knowledge/$baseId/sources', params, replace: true })
  },
})

const sources = createRoute({
  getParentRoute: () => base,
  path: '/sources',
  validateSearch: sourceSearchOf,
  component: lazyRouteComponent(() => import('./sources-page.tsx'), 'SourcesPage'),
})

const settings = createRoute({
  getParentRoute: () => base,
  path: '/settings',
  component: lazyRouteComponent(() => import('./base-settings-page.tsx'), 'BaseSettingsPage'),
})

const reindex = createRoute({
  getParentRoute: () => base,
  path: '/reindex',
  component: lazyRouteComponent(() => import('./reindex-page.tsx'), 'ReindexPage'),
})

const evaluation = createRoute({
  getParentRoute: () => base,
  path: '/evaluation',
  validateSearch: (search): { run?: string | undefined } => ({ run: optionalId(search['run'], 'eva') }),
  component: lazyRouteComponent(() => import('./evaluation-page.tsx'), 'EvaluationPage'),
})

const searches = createRoute({
  getParentRoute: () => base,
  path: '/searches',
  validateSearch: searchLogFilterOf,
  component: lazyRouteComponent(() => import('./searches-page.tsx'), 'SearchesPage'),
})

const connect = createRoute({
  getParentRoute: () => base,
  path: '/connect',
  validateSearch: connectSearchOf,
  component: lazyRouteComponent(() => import('./connect/base-connect.tsx'), 'BaseConnect'),
})

const connectAny = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/connect',
  validateSearch: connectSearchOf,
  component: lazyRouteComponent(() => import('./connect/connect-page.tsx'), 'ConnectPage'),
})

const source = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/knowledge/$baseId/sources/$sourceId',
  validateSearch: (search): { tab?: 'text' | 'pages' | 'settings' | undefined; chunk?: string | undefined } => ({
    tab: oneOf(['text', 'pages', 'settings'], search['tab']),
    chunk: optionalId(search['chunk'], 'chk'),
  }),
  component: lazyRouteComponent(() => import('./source-page.tsx'), 'SourcePage'),
})

export const knowledgeRoutes = [
  bases,
  base.addChildren([start, sources, settings, reindex, evaluation, searches, connect]),
  connectAny,
  source,
] as const
