import { ActionIcon, Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../lib/workspace.ts'
import { pairMessages } from '../../messages/duplicates.ts'
import { useMessages } from '../../messages/messages.ts'

interface DuplicatesLinkProps {
  /** Undefined until it is known. */
  readonly count: { readonly count: number; readonly hasMore: boolean } | undefined
  readonly to: '/$organization/contacts/duplicates' | '/$organization/companies/duplicates'
}

/** A link to the pairs of duplicates with their number. Absent if there are none. */
export function DuplicatesLink({ count, to }: DuplicatesLinkProps) {
  const messages = useMessages(pairMessages)
  const { organization } = useWorkspace()
  if (count === undefined || count.count === 0) return null
  const pairs = count.count.toLocaleString()
  const name = messages.open(count.hasMore ? messages.more(pairs) : pairs)
  const toDuplicates = (props: object) => <Link {...props} to={to} params={{ organization: organization.slug }} />
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
