import { IconHistory, IconKey, IconSettings, IconWebhook } from '@tabler/icons-react'
import type { Room } from '../lib/room.ts'
import { auditLabel, settingsLabel, tokensLabel, webhooksLabel } from './label.ts'

export const settingsRoom: Room = {
  links: [
    {
      to: '/$organization/settings/tokens',
      label: settingsLabel,
      icon: IconSettings,
      children: [
        { to: '/$organization/settings/tokens', label: tokensLabel, icon: IconKey, scope: 'tokens:read', key: 't' },
        { to: '/$organization/settings/webhooks', label: webhooksLabel, icon: IconWebhook, scope: 'webhooks:read', key: 'w' },
        { to: '/$organization/settings/audit', label: auditLabel, icon: IconHistory, scope: 'audit:read' },
      ],
    },
  ],
  // Whatever happens may be sent to an endpoint, and stands in the log.
  touchedBy: () => [['webhooks'], ['audit']],
}
