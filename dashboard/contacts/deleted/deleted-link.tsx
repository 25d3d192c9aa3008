import { ActionIcon, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { deletedMessages } from './messages.ts'

/** A link to the contacts that can be restored. */
export function DeletedLink() {
  const { open } = useMessages(deletedMessages)
  const { organization } = useWorkspace()
  return (
    <Tooltip label={open}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={open}
        renderRoot={(props) => <Link {...props} to="/$organization/contacts/deleted" params={{ organization: organization.slug }} />}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
