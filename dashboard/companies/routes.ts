import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { optionalSearch } from '../lib/search-params.ts'
import { organizationRoute } from '../shell/root-route.ts'

const companies = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/companies',
  validateSearch: (search: Record<string, unknown>): { q?: string | undefined } => ({ q: optionalSearch(search['q']) }),
  component: lazyRouteComponent(() => import('./companies-page.tsx'), 'CompaniesPage'),
})

const company = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/companies/$companyId',
  component: lazyRouteComponent(() => import('./company-page.tsx'), 'CompanyPage'),
})

export const companyRoutes = [companies, company] as const
