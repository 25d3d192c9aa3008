import { IconBooks } from '@tabler/icons-react'
import type { Module } from '../lib/module.ts'
import { showEvent, invalidatedBy } from './events.ts'
import { knowledgeLabel } from './label.ts'

export const knowledgeModule: Module = {
  links: [{ to: '/$organization/knowledge', label: knowledgeLabel, icon: IconBooks, scope: 'bases:read', key: 'k' }],
  find: async (...asked) => (await import('./find.ts')).findBasesAndSources(...asked),
  show: showEvent,
  touchedBy: invalidatedBy,
}
