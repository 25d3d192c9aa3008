import { Avatar, Menu, Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconBook, IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useWorkspace } from '../lib/workspace.ts'
import { signOut } from '../lib/session.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

/** Loaded when the menu is first opened. */
const ThemeChoice = lazy(() => import('./theme-choice.tsx'))

export function UserMenu({ showShortcuts }: { showShortcuts: () => void }) {
  const words = useWords(sharedWords)
  const { user } = useWorkspace()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className="round">
          <VisuallyHidden>{words.userMenu(user.name)}</VisuallyHidden>
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
        <Suspense fallback={<Skeleton height={36} />}>
          <ThemeChoice />
        </Suspense>
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

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .flatMap((part) => [...part].slice(0, 1))
    .slice(0, 2)
    .join('')
    .toUpperCase()
