import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { oneOf, optionalId } from '../lib/search-params.ts'
import { organizationRoute } from '../shell/root-route.ts'
import { auditFilterOf } from './audit/filter.ts'
import { memberFilterOf } from './members/filter.ts'
import { requestFilterOf } from './requests/filter.ts'
import { tokenFilterOf } from './tokens/filter.ts'
import { deliveryStatuses, type DeliveryStatus } from './webhooks/delivery-status.ts'

/** Leads to the first page. */
const start = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$organization/settings/organization', params, replace: true })
  },
})

const tokens = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/tokens',
  validateSearch: tokenFilterOf,
  component: lazyRouteComponent(() => import('./tokens/tokens-page.tsx'), 'TokensPage'),
})

const webhooks = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/webhooks',
  component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/webhooks/$webhookId',
  validateSearch: (search): { status?: DeliveryStatus | undefined; delivery?: string | undefined } => ({
    status: oneOf(deliveryStatuses, search['status']),
    delivery: optionalId(search['delivery'], 'dlv'),
  }),
  component: lazyRouteComponent(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
})

const audit = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/audit',
  validateSearch: auditFilterOf,
  component: lazyRouteComponent(() => import('./audit/audit-page.tsx'), 'AuditPage'),
})

const requests = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/requests',
  validateSearch: requestFilterOf,
  component: lazyRouteComponent(() => import('./requests/requests-page.tsx'), 'RequestsPage'),
})

const organization = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/organization',
  component: lazyRouteComponent(() => import('./organization/organization-page.tsx'), 'OrganizationPage'),
})

const members = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/members',
  validateSearch: memberFilterOf,
  component: lazyRouteComponent(() => import('./members/members-page.tsx'), 'MembersPage'),
})

const system = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/system',
  component: lazyRouteComponent(() => import('./system/system-page.tsx'), 'SystemPage'),
})

const customFields = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/custom-fields',
  component: lazyRouteComponent(() => import('./custom-fields/custom-fields-page.tsx'), 'CustomFieldsPage'),
})

const tags = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/tags',
  component: lazyRouteComponent(() => import('./tags/tags-page.tsx'), 'TagsPage'),
})

export const settingsRoutes = [
  start,
  organization,
  members,
  customFields,
  tags,
  tokens,
  webhooks,
  webhook,
  requests,
  audit,
  system,
] as const
