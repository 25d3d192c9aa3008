import { IconKey, IconSettings } from '@tabler/icons-react'
import type { Room } from '../lib/room.ts'
import { settingsLabel, tokensLabel } from './words.ts'

export const settingsRoom: Room = {
  links: [
    {
      to: '/$organization/settings/tokens',
      label: settingsLabel,
      icon: IconSettings,
      children: [{ to: '/$organization/settings/tokens', label: tokensLabel, icon: IconKey, scope: 'tokens:read', key: 't' }],
    },
  ],
}
