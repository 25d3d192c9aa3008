import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../shell/root-route.ts'
import { contactFilter } from './filter.ts'

const contacts = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts',
  validateSearch: contactFilter,
  component: lazyRouteComponent(() => import('./contacts-page.tsx'), 'ContactsPage'),
})

const contact = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts/$contactId',
  component: lazyRouteComponent(() => import('./contact-page.tsx'), 'ContactPage'),
})

export const contactRoutes = [contacts, contact] as const
