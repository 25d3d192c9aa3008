import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { optionalSearch } from '../lib/search-params.ts'
import { organizationRoute } from '../shell/root-route.ts'

const searchText = (search: Record<string, unknown>): { q?: string | undefined } => ({ q: optionalSearch(search['q']) })

const companies = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/companies',
  validateSearch: searchText,
  component: lazyRouteComponent(() => import('./companies-page.tsx'), 'CompaniesPage'),
})

const company = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/companies/$companyId',
  component: lazyRouteComponent(() => import('./company-page.tsx'), 'CompanyPage'),
})

const deleted = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/companies/deleted',
  validateSearch: searchText,
  component: lazyRouteComponent(() => import('./deleted-page.tsx'), 'DeletedPage'),
})

const duplicates = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/companies/duplicates',
  component: lazyRouteComponent(() => import('./duplicates/duplicates-page.tsx'), 'DuplicatesPage'),
})

export const companyRoutes = [companies, company, duplicates, deleted] as const
