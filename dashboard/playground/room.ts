import { IconMessageSearch } from '@tabler/icons-react'
import type { Room } from '../lib/room.ts'
import { playgroundLabel } from './label.ts'

export const playgroundRoom: Room = {
  links: [{ to: '/$organization/playground', label: playgroundLabel, icon: IconMessageSearch, scope: 'search:read', key: 'y' }],
}
