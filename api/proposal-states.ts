export const proposalStates = ['draft', 'pending', 'completed', 'rejected', 'expired', 'voided'] as const
export type ProposalStatus = (typeof proposalStates)[number]

/** The organization acts through the API and the dashboard, the recipient on the page of the proposal, the service by itself. */
export type ProposalActor = 'organization' | 'recipient' | 'service'

/** All actions on a proposal by its state. Every other pair of state and action is a conflict. */
export const proposalTransitions = [
  { from: 'draft', action: 'send', to: 'pending', event: 'proposal.sent', actors: ['organization'] },
  { from: 'draft', action: 'void', to: 'voided', event: 'proposal.voided', actors: ['organization'] },
  // A signature after which others are missing, and the last one.
  { from: 'pending', action: 'sign', to: 'pending', event: 'proposal.signed', actors: ['recipient'] },
  { from: 'pending', action: 'accept', to: 'completed', event: 'proposal.completed', actors: ['recipient', 'organization'] },
  { from: 'pending', action: 'decline', to: 'rejected', event: 'proposal.rejected', actors: ['recipient'] },
  { from: 'pending', action: 'expire', to: 'expired', event: 'proposal.expired', actors: ['service'] },
  { from: 'pending', action: 'void', to: 'voided', event: 'proposal.voided', actors: ['organization', 'service'] },
  { from: 'pending', action: 'supersede', to: 'voided', event: 'proposal.superseded', actors: ['organization'] },
  { from: 'rejected', action: 'supersede', to: 'rejected', event: 'proposal.superseded', actors: ['organization'] },
  { from: 'expired', action: 'supersede', to: 'expired', event: 'proposal.superseded', actors: ['organization'] },
] as const satisfies readonly {
  from: ProposalStatus
  action: string
  to: ProposalStatus
  event: `proposal.${string}`
  actors: readonly ProposalActor[]
}[]
