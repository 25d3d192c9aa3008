import { ActionIcon, Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { duplicateMessages } from './messages.ts'
import { duplicateCountQuery } from './queries.ts'

/** A link to the pairs of duplicates with their number. Absent if there are none. */
export function DuplicatesLink() {
  const messages = useMessages(duplicateMessages)
  const workspace = useWorkspace()
  const { data } = useQuery(duplicateCountQuery(workspace))
  if (data === undefined || data.count === 0) return null
  const pairs = data.count.toLocaleString()
  const name = messages.open(data.hasMore ? messages.more(pairs) : pairs)
  const toDuplicates = (props: object) => (
    <Link {...props} to="/$organization/contacts/duplicates" params={{ organization: workspace.organization.slug }} />
  )
  return (
    <>
      {/* On a phone, it fits beside the other actions: the list would move down when it appears. */}
      <ActionIcon variant="default" size={36} hiddenFrom="sm" aria-label={name} renderRoot={toDuplicates}>
        <IconUsers size={16} aria-hidden />
      </ActionIcon>
      <Button variant="default" visibleFrom="sm" renderRoot={toDuplicates}>
        {name}
      </Button>
    </>
  )
}
