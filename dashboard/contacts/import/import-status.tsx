import type { ContactImport } from '@groundwork/api'
import { Badge } from '@mantine/core'
import { useMessages } from '../../messages/messages.ts'
import { importMessages } from './messages.ts'

const colors = { queued: 'gray', running: 'blue', completed: 'green', failed: 'red', cancelled: 'gray' } as const

export function ImportStatus({ status }: Pick<ContactImport, 'status'>) {
  const { statuses } = useMessages(importMessages)
  return (
    <Badge variant="light" color={colors[status]}>
      {statuses[status]}
    </Badge>
  )
}
