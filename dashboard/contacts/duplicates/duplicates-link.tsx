import { ActionIcon, Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { rowsOf } from '../../lib/pages.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { duplicateMessages } from './messages.ts'
import { duplicatesQuery } from './queries.ts'

/** A link to the pairs of duplicates with their number. Absent if there are none. */
export function DuplicatesLink() {
  const messages = useMessages(duplicateMessages)
  const workspace = useWorkspace()
  const { data, hasNextPage } = useInfiniteQuery(duplicatesQuery(workspace))
  const pairs = data === undefined ? 0 : rowsOf(data).length
  if (pairs === 0) return null
  const name = messages.open(hasNextPage ? messages.more(pairs.toLocaleString()) : pairs.toLocaleString())
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
