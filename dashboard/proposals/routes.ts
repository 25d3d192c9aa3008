import { proposalStates } from '@groundwork/api/proposal-states'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, optionalAmount, optionalId, optionalSearch } from '../lib/search-params.ts'
import { organizationRoute } from '../shell/root-route.ts'
import type { ProposalFilter } from './queries.ts'

/** The orders that columns of the list offer. */
const sorts = ['-createdAt', 'createdAt', '-expiresAt', 'expiresAt', '-totalAmount', 'totalAmount'] as const

const proposals = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/proposals',
  validateSearch: (search: Record<string, unknown>): ProposalFilter => ({
    status: oneOf(proposalStates, search['status']),
    q: optionalSearch(search['q']),
    sort: oneOf(sorts, search['sort']),
    contactId: optionalId(search['contactId'], 'ctc'),
    minTotal: optionalAmount(search['minTotal']),
    maxTotal: optionalAmount(search['maxTotal']),
  }),
  component: lazyRouteComponent(() => import('./proposals-page.tsx'), 'ProposalsPage'),
})

const newProposal = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/proposals/new',
  validateSearch: (search: Record<string, unknown>): { contact?: string | undefined } => ({
    contact: optionalId(search['contact'], 'ctc'),
  }),
  component: lazyRouteComponent(() => import('./write-page.tsx'), 'NewProposalPage'),
})

const proposal = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/proposals/$proposalId',
  component: lazyRouteComponent(() => import('./proposal-page.tsx'), 'ProposalPage'),
})

const editProposal = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/proposals/$proposalId/edit',
  component: lazyRouteComponent(() => import('./write-page.tsx'), 'EditProposalPage'),
})

export const proposalRoutes = [proposals, newProposal, proposal, editProposal] as const
