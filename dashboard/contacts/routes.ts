import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { optionalId, optionalSearch } from '../lib/search-params.ts'
import { organizationRoute } from '../shell/root-route.ts'
import { importSearch } from './import/search.ts'
import { listSearch } from './list/search.ts'

const contacts = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./contacts-page.tsx'), 'ContactsPage'),
})

const contact = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts/$contactId',
  component: lazyRouteComponent(() => import('./contact-page.tsx'), 'ContactPage'),
})

const duplicates = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts/duplicates',
  component: lazyRouteComponent(() => import('./duplicates/duplicates-page.tsx'), 'DuplicatesPage'),
})

const deleted = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts/deleted',
  validateSearch: (search: Record<string, unknown>): { q?: string | undefined } => ({ q: optionalSearch(search['q']) }),
  component: lazyRouteComponent(() => import('./deleted/deleted-page.tsx'), 'DeletedPage'),
})

const importContacts = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts/import',
  validateSearch: importSearch,
  component: lazyRouteComponent(() => import('./import/import-page.tsx'), 'ImportPage'),
})

const contactImport = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts/import/$importId',
  component: lazyRouteComponent(() => import('./import/import-result-page.tsx'), 'ImportResultPage'),
})

const mergeContact = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts/$contactId/merge',
  validateSearch: (search: Record<string, unknown>): { other?: string | undefined } => ({ other: optionalId(search['other'], 'ctc') }),
  component: lazyRouteComponent(() => import('./merge/merge-page.tsx'), 'MergePage'),
})

export const contactRoutes = [contacts, contact, duplicates, deleted, mergeContact, importContacts, contactImport] as const
