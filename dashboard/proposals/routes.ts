import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { optionalId } from '../lib/search-params.ts'
import { organizationRoute } from '../shell/root-route.ts'
import { proposalSearch } from './proposal-filter.ts'

const proposals = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/proposals',
  validateSearch: proposalSearch,
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
