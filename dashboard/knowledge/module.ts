import { IconBooks } from '@tabler/icons-react'
import type { Finding, Module } from '../lib/module.ts'
import type { Workspace } from '../lib/workspace.ts'
import { showEvent, invalidatedBy } from './events.ts'
import { knowledgeLabel } from './label.ts'

const maxFound = 5

export const knowledgeModule: Module = {
  links: [{ to: '/$organization/knowledge', label: knowledgeLabel, icon: IconBooks, scope: 'bases:read', key: 'k' }],
  find: findBases,
  show: showEvent,
  touchedBy: invalidatedBy,
}

async function findBases({ client, organization }: Workspace, text: string, signal: AbortSignal): Promise<Finding[]> {
  if (!organization.scopes.includes('bases:read')) return []
  const { data } = await client.bases.list({ limit: 100 }, { signal }).page()
  const wanted = text.toLocaleLowerCase()
  return data
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    .slice(0, maxFound)
    .map(({ id, name, description }) => ({ id, label: name, description, icon: IconBooks, path: `/knowledge/${id}` }))
}
