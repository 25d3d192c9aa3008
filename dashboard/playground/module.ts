import { IconMessageSearch } from '@tabler/icons-react'
import type { Module } from '../lib/module.ts'
import { noteChange } from './changes.ts'
import { playgroundLabel } from './label.ts'

export const playgroundModule: Module = {
  show: noteChange,
  links: [{ to: '/$organization/playground', label: playgroundLabel, icon: IconMessageSearch, scope: 'search:read', key: 'y' }],
}
