import { IconFileDollar } from '@tabler/icons-react'
import type { Module } from '../lib/module.ts'
import { proposalsKey } from './queries.ts'
import { proposalsLabel } from './label.ts'

export const proposalsModule: Module = {
  links: [{ to: '/$organization/proposals', label: proposalsLabel, icon: IconFileDollar, scope: 'proposals:read', key: 'p' }],
  find: async (...asked) => (await import('./find.ts')).findProposals(...asked),
  touchedBy: ({ type }) => (type.startsWith('proposal.') ? [proposalsKey] : []),
}
