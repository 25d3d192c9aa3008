import type { ProposalStatus } from '@groundwork/api'
import { Badge } from '@mantine/core'
import { useWords } from '../words/words.ts'
import { statusColors } from './states.ts'
import { proposalWords } from './words.ts'

export function StatusBadge({ status }: { status: ProposalStatus }) {
  const { statuses } = useWords(proposalWords)
  return (
    <Badge variant="light" color={statusColors[status]}>
      {statuses[status]}
    </Badge>
  )
}
