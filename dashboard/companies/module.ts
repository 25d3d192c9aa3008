import { IconBuilding } from '@tabler/icons-react'
import type { Module } from '../lib/module.ts'
import { companiesLabel } from './label.ts'
import { conversionsKey } from '../lib/custom-fields.ts'
import { companiesKey } from './queries.ts'

export const companiesModule: Module = {
  links: [{ to: '/$organization/companies', label: companiesLabel, icon: IconBuilding, scope: 'contacts:read', key: 'o' }],
  find: async (...asked) => (await import('./find.ts')).findCompanies(...asked),
  touchedBy: ({ type }) => (type.startsWith('company.') ? [companiesKey, conversionsKey] : []),
}
