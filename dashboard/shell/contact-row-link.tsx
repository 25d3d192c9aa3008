import type { Contact } from '@groundwork/api'
import { Link } from '@tanstack/react-router'
import { contactName } from '../lib/contact.ts'
import { useWorkspace } from '../lib/workspace.ts'

/** The name of a contact in a row, as a link to its page. */
export function ContactRowLink({ contact, className }: { contact: Contact; className: string }) {
  const { organization } = useWorkspace()
  const name = contactName(contact)
  return (
    <Link
      className={`row-link ${className}`}
      dir="auto"
      title={name}
      to="/$organization/contacts/$contactId"
      params={{ organization: organization.slug, contactId: contact.id }}
    >
      {name}
    </Link>
  )
}
