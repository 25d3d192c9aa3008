import {
  Avatar,
  Menu,
  SegmentedControl,
  Text,
  UnstyledButton,
  VisuallyHidden,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core'
import { IconBook, IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../lib/workspace.ts'
import { signOut } from '../lib/session.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

export function UserMenu({ showShortcuts }: { showShortcuts: () => void }) {
  const words = useWords(sharedWords)
  const { user } = useWorkspace()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className="round">
          <VisuallyHidden>{words.yourMenu(user.name)}</VisuallyHidden>
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
        <ThemeChoice />
        <Menu.Divider />
        <Menu.Item leftSection={<IconUser size={16} aria-hidden />} renderRoot={(props) => <Link {...props} to="/account" />}>
          {words.account}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={showShortcuts}>
          {words.shortcuts.title}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook size={16} aria-hidden />} component="a" href="/docs" target="_blank">
          {words.reference}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function ThemeChoice() {
  const { theme } = useWords(sharedWords)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const choices: { value: MantineColorScheme; label: string }[] = [
    { value: 'light', label: theme.light },
    { value: 'dark', label: theme.dark },
    { value: 'auto', label: theme.auto },
  ]
  return (
    <SegmentedControl
      fullWidth
      size="sm"
      aria-label={theme.legend}
      data={choices}
      value={colorScheme}
      onChange={(value) => setColorScheme(value)}
    />
  )
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .flatMap((part) => [...part].slice(0, 1))
    .slice(0, 2)
    .join('')
    .toUpperCase()
