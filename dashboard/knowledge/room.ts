import { IconBooks } from '@tabler/icons-react'
import type { Finding, Room } from '../lib/room.ts'
import type { Workspace } from '../lib/workspace.ts'
import { showEvent, touchedBy } from './events.ts'
import { knowledgeLabel } from './label.ts'

const maxFound = 5

export const knowledgeRoom: Room = {
  links: [{ to: '/$organization/knowledge', label: knowledgeLabel, icon: IconBooks, scope: 'bases:read', key: 'k' }],
  find: findBases,
  show: showEvent,
  touchedBy,
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
