import {
  IconArrowsExchange,
  IconBuilding,
  IconForms,
  IconHistory,
  IconKey,
  IconServer,
  IconSettings,
  IconTags,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react'
import type { Module } from '../lib/module.ts'
import {
  auditLabel,
  customFieldsLabel,
  membersLabel,
  organizationLabel,
  requestsLabel,
  settingsLabel,
  systemLabel,
  tagsLabel,
  tokensLabel,
  webhooksLabel,
} from './label.ts'

export const settingsModule: Module = {
  links: [
    {
      to: '/$organization/settings/organization',
      label: settingsLabel,
      icon: IconSettings,
      children: [
        { to: '/$organization/settings/organization', label: organizationLabel, icon: IconBuilding, scope: 'organization:read' },
        { to: '/$organization/settings/members', label: membersLabel, icon: IconUsersGroup, scope: 'members:read', key: 'm' },
        { to: '/$organization/settings/custom-fields', label: customFieldsLabel, icon: IconForms, scope: 'contacts:read' },
        { to: '/$organization/settings/tags', label: tagsLabel, icon: IconTags, scope: 'contacts:read' },
        { to: '/$organization/settings/tokens', label: tokensLabel, icon: IconKey, scope: 'tokens:read', key: 't' },
        { to: '/$organization/settings/webhooks', label: webhooksLabel, icon: IconWebhook, scope: 'webhooks:read', key: 'w' },
        { to: '/$organization/settings/requests', label: requestsLabel, icon: IconArrowsExchange, scope: 'audit:read' },
        { to: '/$organization/settings/audit', label: auditLabel, icon: IconHistory, scope: 'audit:read' },
        { to: '/$organization/settings/system', label: systemLabel, icon: IconServer, scope: 'organization:read' },
      ],
    },
  ],
  // Every event can create webhook deliveries and audit entries.
  touchedBy: () => [['webhooks'], ['audit']],
}
