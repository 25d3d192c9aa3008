import { IconBooks, IconFileText } from '@tabler/icons-react'
import type { Finding } from '../lib/module.ts'
import type { Workspace } from '../lib/workspace.ts'
import { sourceName } from './address-body.ts'

const maxFound = 5

/** Finds knowledge bases and sources for the palette. */
export async function findBasesAndSources({ client, organization }: Workspace, text: string, signal: AbortSignal): Promise<Finding[]> {
  if (!organization.scopes.includes('bases:read')) return []
  const { data: bases } = await client.bases.list({ limit: 100 }, { signal }).page()
  const wanted = text.toLocaleLowerCase()
  const found = bases
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    .slice(0, maxFound)
    .map(({ id, name, description }) => ({ id, label: name, description, icon: IconBooks, path: `/knowledge/${id}` }))
  if (!organization.scopes.includes('sources:read')) return found
  const { data } = await client.sources.list({ q: text, limit: maxFound }, { signal }).page()
  const sources = data.map((source) => ({
    id: source.id,
    label: sourceName(source),
    ...described(bases.find(({ id }) => id === source.baseId)?.name ?? source.url),
    icon: IconFileText,
    path: `/knowledge/${source.baseId}/sources/${source.id}`,
  }))
  return [...found, ...sources]
}

const described = (description: string | undefined): { description?: string } => (description === undefined ? {} : { description })
