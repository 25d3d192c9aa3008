import type { Contact } from '@groundwork/api'
import { queryOptions } from '@tanstack/react-query'
import type { Workspace } from './workspace.ts'

/** Returns the full name of a contact, or else its email address, phone number or id. */
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

/** Structural sharing is off because `etagOf` knows the version of the original response object only. */
export const contactQuery = ({ client, organization }: Workspace, id: string) =>
  queryOptions({
    queryKey: [organization.id, ...contactKey(id)],
    queryFn: ({ signal }) => client.contacts.get(id, { signal }),
    structuralSharing: false,
  })
