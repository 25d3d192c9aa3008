import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { contactName, contactQuery } from '../lib/contact.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

/** Links to the contact of a proposal. Deleted contacts have no link. */
export function ContactLink({ contactId, className }: { contactId: string; className?: string }) {
  const { none } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const mayRead = useMay('contacts:read')
  const { data: contact, isLoading } = useQuery({ ...contactQuery(workspace, contactId), enabled: mayRead, retry: false })
  if (contact === undefined) return isLoading ? '…' : none
  const name = contactName(contact)
  return (
    <Anchor
      inherit
      dir="auto"
      className={className}
      title={className === undefined ? undefined : name}
      renderRoot={(props) => (
        <Link {...props} to="/$organization/contacts/$contactId" params={{ organization: workspace.organization.slug, contactId }} />
      )}
    >
      {name}
    </Anchor>
  )
}
