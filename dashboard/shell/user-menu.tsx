import { Avatar, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconApi, IconBook, IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../lib/workspace.ts'
import { signOut } from '../lib/session.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { AppearanceChoice } from './appearance-choice.tsx'

export function UserMenu({ showShortcuts }: { showShortcuts: () => void }) {
  const messages = useMessages(sharedMessages)
  const { user } = useWorkspace()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className="round">
          <VisuallyHidden>{messages.userMenu(user.name)}</VisuallyHidden>
          <Avatar aria-hidden size={36} color="pine" radius="xl">
            {initialsOf(user.name)}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {user.name}
          </Text>
          <Text size="xs" truncate>
            {user.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<IconUser size={16} aria-hidden />} renderRoot={(props) => <Link {...props} to="/account" />}>
          {messages.account}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={showShortcuts}>
          {messages.shortcuts.title}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook size={16} aria-hidden />} component="a" href="/docs" target="_blank">
          {messages.guides}
        </Menu.Item>
        <Menu.Item leftSection={<IconApi size={16} aria-hidden />} component="a" href="/docs/reference" target="_blank">
          {messages.reference}
        </Menu.Item>
        <Menu.Divider />
        <AppearanceChoice />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          {messages.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .flatMap((part) => [...part].slice(0, 1))
    .slice(0, 2)
    .join('')
    .toUpperCase()
