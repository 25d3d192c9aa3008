import { IconBuilding, IconHistory, IconKey, IconServer, IconSettings, IconUsersGroup, IconWebhook } from '@tabler/icons-react'
import type { Module } from '../lib/module.ts'
import { auditLabel, membersLabel, organizationLabel, settingsLabel, systemLabel, tokensLabel, webhooksLabel } from './label.ts'

export const settingsModule: Module = {
  links: [
    {
      to: '/$organization/settings/organization',
      label: settingsLabel,
      icon: IconSettings,
      children: [
        { to: '/$organization/settings/organization', label: organizationLabel, icon: IconBuilding, scope: 'organization:read' },
        { to: '/$organization/settings/members', label: membersLabel, icon: IconUsersGroup, scope: 'members:read', key: 'm' },
        { to: '/$organization/settings/tokens', label: tokensLabel, icon: IconKey, scope: 'tokens:read', key: 't' },
        { to: '/$organization/settings/webhooks', label: webhooksLabel, icon: IconWebhook, scope: 'webhooks:read', key: 'w' },
        { to: '/$organization/settings/audit', label: auditLabel, icon: IconHistory, scope: 'audit:read' },
        { to: '/$organization/settings/system', label: systemLabel, icon: IconServer, scope: 'organization:read' },
      ],
    },
  ],
  // Every event can create webhook deliveries and audit entries.
  touchedBy: () => [['webhooks'], ['audit']],
}
