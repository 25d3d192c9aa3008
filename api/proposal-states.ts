export const proposalStates = ['draft', 'pending', 'completed', 'rejected', 'expired', 'voided'] as const
export type ProposalStatus = (typeof proposalStates)[number]

/** The organization acts through the API and the dashboard, the recipient on the page of the proposal, the service by itself. */
export type ProposalActor = 'organization' | 'recipient' | 'service'

/** All changes of a proposal's state. Every other pair of state and action is a conflict. */
export const proposalTransitions = [
  { from: 'draft', action: 'send', to: 'pending', event: 'proposal.sent', actors: ['organization'] },
  { from: 'draft', action: 'void', to: 'voided', event: 'proposal.voided', actors: ['organization'] },
  { from: 'pending', action: 'accept', to: 'completed', event: 'proposal.completed', actors: ['recipient'] },
  { from: 'pending', action: 'decline', to: 'rejected', event: 'proposal.rejected', actors: ['recipient'] },
  { from: 'pending', action: 'expire', to: 'expired', event: 'proposal.expired', actors: ['service'] },
  { from: 'pending', action: 'void', to: 'voided', event: 'proposal.voided', actors: ['organization', 'service'] },
] as const satisfies readonly {
  from: ProposalStatus
  action: string
  to: ProposalStatus
  event: `proposal.${string}`
  actors: readonly ProposalActor[]
}[]
