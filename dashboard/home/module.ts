import { IconHome } from '@tabler/icons-react'
import type { LiveEvent, Module } from '../lib/module.ts'
import { homeLabel } from './label.ts'
import { overviewKey } from './queries.ts'

export const homeModule: Module = {
  links: [{ to: '/$organization', label: homeLabel, icon: IconHome, scope: 'organization:read', key: 'h' }],
  touchedBy: (event) => (changesOverview(event) ? [overviewKey] : []),
}

/** Updates of contacts do not change the overview. */
const changesOverview = ({ type }: LiveEvent): boolean => type !== 'contact.updated'
