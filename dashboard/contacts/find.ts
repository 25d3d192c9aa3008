import { IconUser } from '@tabler/icons-react'
import { contactName } from '../lib/contact.ts'
import type { Finding } from '../lib/module.ts'
import type { Workspace } from '../lib/workspace.ts'

const maxFound = 5

/** Finds contacts for the palette. */
export async function findContacts({ client, organization }: Workspace, text: string, signal: AbortSignal): Promise<Finding[]> {
  if (!organization.scopes.includes('contacts:read')) return []
  const { data } = await client.contacts.list({ q: text, limit: maxFound }, { signal }).page()
  return data.map((contact) => ({
    id: contact.id,
    label: contactName(contact),
    ...(contact.email !== null && { description: contact.email }),
    icon: IconUser,
    path: `/contacts/${contact.id}`,
  }))
}
