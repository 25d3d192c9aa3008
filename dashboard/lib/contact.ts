import type { Contact } from '@groundwork/api'
import { queryOptions } from '@tanstack/react-query'
import type { Workspace } from './workspace.ts'

/** What a contact is called: by its name, or by what reaches it. */
export function contactName({
  firstName,
  lastName,
  email,
  phone,
  id,
}: Pick<Contact, 'firstName' | 'lastName' | 'email' | 'phone' | 'id'>): string {
  const name = [firstName, lastName].filter((part) => part !== null).join(' ')
  return name === '' ? (email ?? phone ?? id) : name
}

export const contactKey = (id: string) => ['contacts', id, 'record'] as const

/** As it came: the version of a record is known of no copy. */
export const contactQuery = ({ client, organization }: Workspace, id: string) =>
  queryOptions({
    queryKey: [organization.id, ...contactKey(id)],
    queryFn: ({ signal }) => client.contacts.get(id, { signal }),
    structuralSharing: false,
  })
