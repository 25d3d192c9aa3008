import { Menu, Text, UnstyledButton } from '@mantine/core'
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { meQuery } from '../lib/session.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

export function OrganizationSwitcher() {
  const messages = useMessages(sharedMessages)
  const { organization } = useWorkspace()
  const { data: me } = useQuery(meQuery)
  return (
    <Menu position="bottom-start" width="target" withinPortal>
      <Menu.Target>
        <UnstyledButton className="switcher" aria-label={messages.switchOrganization(organization.name)}>
          <Text fw={600} truncate dir="auto">
            {organization.name}
          </Text>
          <IconSelector size={16} style={{ flex: 'none' }} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{messages.organizations}</Menu.Label>
        {me?.organizations.map(({ id, name, slug }) => (
          <Menu.Item
            key={id}
            className="wrap"
            rightSection={id === organization.id && <IconCheck size={16} aria-hidden />}
            renderRoot={(props) => <Link {...props} to="/$organization" params={{ organization: slug }} />}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} renderRoot={(props) => <Link {...props} to="/organizations/new" />}>
          {messages.newOrganization}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
