import { IconBuilding } from '@tabler/icons-react'
import type { Finding, Module } from '../lib/module.ts'
import type { Workspace } from '../lib/workspace.ts'
import { companiesLabel } from './label.ts'
import { conversionsKey } from '../lib/custom-fields.ts'
import { companiesKey } from './queries.ts'

const maxFound = 5

export const companiesModule: Module = {
  links: [{ to: '/$organization/companies', label: companiesLabel, icon: IconBuilding, scope: 'contacts:read', key: 'o' }],
  find: findCompanies,
  touchedBy: ({ type }) => (type.startsWith('company.') ? [companiesKey, conversionsKey] : []),
}

async function findCompanies({ client, organization }: Workspace, text: string, signal: AbortSignal): Promise<Finding[]> {
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
