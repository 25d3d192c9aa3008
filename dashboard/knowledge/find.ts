import { NotFoundError } from '@groundwork/sdk'
import { IconBooks, IconFileText } from '@tabler/icons-react'
import type { Finding } from '../lib/module.ts'
import type { Workspace } from '../lib/workspace.ts'
import { sourceName } from './address-body.ts'

const maxFound = 5

/** Finds knowledge bases and sources for the palette. */
export async function findBasesAndSources({ client, organization }: Workspace, text: string, signal: AbortSignal): Promise<Finding[]> {
  if (!organization.scopes.includes('bases:read')) return []
  const maySeeSources = organization.scopes.includes('sources:read')
  const [{ data: bases }, { data }] = await Promise.all([
    client.bases.list({ q: text, limit: maxFound }, { signal }).page(),
    maySeeSources ? client.sources.list({ q: text, limit: maxFound }, { signal }).page() : { data: [] },
  ])
  const found = bases.map(({ id, name, description }) => ({ id, label: name, description, icon: IconBooks, path: `/knowledge/${id}` }))
  const nameOf = async (id: string): Promise<string | undefined> => {
    const known = bases.find((base) => base.id === id)
    if (known !== undefined) return known.name
    return client.bases.get(id, { signal }).then(({ name }) => name, ifDeleted)
  }
  const baseIds = [...new Set(data.map(({ baseId }) => baseId))]
  const names = new Map(await Promise.all(baseIds.map(async (id) => [id, await nameOf(id)] as const)))
  const sources = data.map((source) => ({
    id: source.id,
    label: sourceName(source),
    ...described(names.get(source.baseId) ?? source.url),
    icon: IconFileText,
    path: `/knowledge/${source.baseId}/sources/${source.id}`,
  }))
  return [...found, ...sources]
}

/** The knowledge base can be deleted after its sources were found. */
function ifDeleted(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error
}

const described = (description: string | undefined): { description?: string } => (description === undefined ? {} : { description })
