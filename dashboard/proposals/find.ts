import { IconFileDollar } from '@tabler/icons-react'
import type { Finding } from '../lib/module.ts'
import type { Workspace } from '../lib/workspace.ts'

const maxFound = 5

/** Finds proposals for the palette. */
export async function findProposals({ client, organization }: Workspace, text: string, signal: AbortSignal): Promise<Finding[]> {
  if (!organization.scopes.includes('proposals:read')) return []
  const { data } = await client.proposals.list({ q: text, limit: maxFound }, { signal }).page()
  return data.map(({ id, title, number }) => ({
    id,
    label: title,
    ...(number !== null && { description: number }),
    icon: IconFileDollar,
    path: `/proposals/${id}`,
  }))
}
