import { IconBuilding } from '@tabler/icons-react'
import type { Finding } from '../lib/module.ts'
import type { Workspace } from '../lib/workspace.ts'

const maxFound = 5

/** Finds companies for the palette. */
export async function findCompanies({ client, organization }: Workspace, text: string, signal: AbortSignal): Promise<Finding[]> {
  if (!organization.scopes.includes('contacts:read')) return []
  const { data } = await client.companies.list({ q: text, limit: maxFound }, { signal }).page()
  return data.map(({ id, name, domains }) => ({
    id,
    label: name,
    ...(domains[0] !== undefined && { description: domains[0] }),
    icon: IconBuilding,
    path: `/companies/${id}`,
  }))
}
