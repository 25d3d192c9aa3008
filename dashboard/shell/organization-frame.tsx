import { AppShell, Burger, Drawer, Group, Kbd, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Outlet, useRouteContext } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { useLive } from '../lib/event-stream.ts'
import { rememberOrganization } from '../lib/session.ts'
import { openWorkspace, useWorkspace, WorkspaceContext } from '../lib/workspace.ts'
import { modules } from '../modules.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { ConnectionBar } from './connection-bar.tsx'
import { lazyDialog } from './lazy-dialog.tsx'
import { Navigation } from './navigation.tsx'
import { OrganizationSwitcher } from './organization-switcher.tsx'
import { useShortcutKeys } from './shortcut-keys.ts'
import { UserMenu } from './user-menu.tsx'

const Palette = lazyDialog(() => import('./palette.tsx'))
const Shortcuts = lazyDialog(() => import('./shortcuts.tsx'))

/** The layout around all pages of an organization. */
export function OrganizationFrame() {
  const { user, organization } = useRouteContext({ from: '/$organization' })
  const workspace = useMemo(() => openWorkspace(user, organization), [user, organization])
  useEffect(() => rememberOrganization(organization.slug), [organization.slug])
  // While the frame of index.html is visible, React draws this one and the page in short tasks.
  const isDrawn = useDeferredValue(true, !hasStart())
  useEffect(() => {
    // The frame of index.html is hidden by now. Without it, the page has each text once.
    if (isDrawn) document.querySelector('#start')?.remove()
  }, [isDrawn])
  return (
    isDrawn && (
      <WorkspaceContext value={workspace}>
        <Frame />
      </WorkspaceContext>
    )
  )
}

function Frame() {
  const messages = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const live = useLive(workspace, modules)
  // Phones have the navigation in the drawer.
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [menu, { open: openMenu, close: closeMenu }] = useDisclosure()
  const [palette, { open: openPalette, close: closePalette }] = useDisclosure()
  const [shortcuts, { open: openShortcuts, close: closeShortcuts }] = useDisclosure()
  useHotkeys([['mod+K', openPalette]], [])
  useShortcutKeys(workspace.organization, openShortcuts)
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <a className="skip-link" href="#content" onClick={skip}>
        {messages.skip}
      </a>
      <AppShell.Header aria-label={messages.product}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger hiddenFrom="sm" size="sm" opened={menu} onClick={openMenu} aria-label={messages.openNavigation} />
            <Text fw={700} c="var(--mantine-primary-color-light-color)" visibleFrom="xs">
              {messages.product}
            </Text>
          </Group>
          <Group gap="sm" wrap="nowrap">
            <UnstyledButton className="search-button" onClick={openPalette}>
              <IconSearch size={16} aria-hidden />
              <span>{messages.search}</span>
              <Kbd visibleFrom="sm" size="xs" aria-hidden>
                {modifier} K
              </Kbd>
            </UnstyledButton>
            <UserMenu showShortcuts={openShortcuts} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" component="div" visibleFrom="sm">
        {isWide && (
          <>
            <OrganizationSwitcher />
            <div className="navigation">
              <Navigation />
            </div>
          </>
        )}
      </AppShell.Navbar>
      <Drawer
        opened={menu}
        onClose={closeMenu}
        size={280}
        title={messages.product}
        hiddenFrom="sm"
        closeButtonProps={{ 'aria-label': messages.closeNavigation }}
      >
        <OrganizationSwitcher />
        <div className="navigation">
          <Navigation onGo={closeMenu} />
        </div>
      </Drawer>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionBar live={live} />
        <Outlet />
      </AppShell.Main>
      {palette && <Palette onClose={closePalette} />}
      {shortcuts && <Shortcuts onClose={closeShortcuts} />}
    </AppShell>
  )
}

/** Returns whether the frame of index.html is visible. */
const hasStart = (): boolean => document.querySelector('.framed #start') !== null

const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Moves the focus without changing the URL, because a fragment would add a history entry. */
function skip(event: { preventDefault: () => void }): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#content')?.focus()
}
