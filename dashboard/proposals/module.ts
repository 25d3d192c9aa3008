import { IconFileDollar } from '@tabler/icons-react'
import type { Finding, Module } from '../lib/module.ts'
import type { Workspace } from '../lib/workspace.ts'
import { proposalsKey } from './queries.ts'
import { proposalsLabel } from './label.ts'

const maxFound = 5

export const proposalsModule: Module = {
  links: [{ to: '/$organization/proposals', label: proposalsLabel, icon: IconFileDollar, scope: 'proposals:read', key: 'p' }],
  find: findProposals,
  touchedBy: ({ type }) => (type.startsWith('proposal.') ? [proposalsKey] : []),
}

async function findProposals({ client, organization }: Workspace, text: string, signal: AbortSignal): Promise<Finding[]> {
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
