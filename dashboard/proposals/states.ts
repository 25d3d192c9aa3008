import type { ProposalStatus } from '@groundwork/api'

export const statuses: readonly ProposalStatus[] = ['draft', 'pending', 'completed', 'rejected', 'expired', 'voided']

export const statusColors: Record<ProposalStatus, string> = {
  draft: 'gray',
  pending: 'pine',
  completed: 'green',
  rejected: 'red',
  expired: 'yellow',
  voided: 'gray',
}
