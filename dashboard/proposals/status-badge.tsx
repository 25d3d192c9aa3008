import type { ProposalStatus } from '@groundwork/api'
import { Badge } from '@mantine/core'
import { useMessages } from '../messages/messages.ts'
import { statusColors } from './states.ts'
import { proposalMessages } from './messages.ts'

export function StatusBadge({ status }: { status: ProposalStatus }) {
  const { statuses } = useMessages(proposalMessages)
  return (
    <Badge variant="light" color={statusColors[status]}>
      {statuses[status]}
    </Badge>
  )
}
