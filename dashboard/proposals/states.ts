import type { ProposalStatus } from '@groundwork/api'

export const statusColors: Record<ProposalStatus, string> = {
  draft: 'gray',
  pending: 'pine',
  completed: 'green',
  rejected: 'red',
  expired: 'yellow',
  voided: 'gray',
}
