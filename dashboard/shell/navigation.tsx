import { NavLink, Stack } from '@mantine/core'
import { Link, useMatchRoute } from '@tanstack/react-router'
import type { Module, ModuleLink } from '../lib/module.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { modules } from '../modules.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

/** Returns the pages that the user's permissions allow. Omits pages whose children are all hidden. */
export function visibleLinks(all: readonly Module[], scopes: readonly string[]): readonly ModuleLink[] {
  const isAllowed = ({ scope }: ModuleLink): boolean => scope === undefined || scopes.includes(scope)
  return all
    .flatMap(({ links }) => links)
    .filter(isAllowed)
    .map((link) => (link.children ? { ...link, children: link.children.filter(isAllowed) } : link))
    .filter(({ children }) => children === undefined || children.length > 0)
    .map((link) => ({ ...link, to: link.children?.[0]?.to ?? link.to }))
}

export function Navigation({ onGo }: { onGo?: () => void }) {
  const messages = useMessages(sharedMessages)
  const { organization } = useWorkspace()
  return (
    <Stack component="nav" gap={2} aria-label={messages.navigation}>
      {visibleLinks(modules, organization.scopes).map((link) => (
        <Entry key={link.to} link={link} onGo={onGo} />
      ))}
    </Stack>
  )
}

/** All other paths start with the path of Home. */
const isHome = (to: ModuleLink['to']): boolean => to === '/$organization'

function Entry({ link: { to, label, icon: Icon, children }, onGo }: { link: ModuleLink; onGo: (() => void) | undefined }) {
  const { organization } = useWorkspace()
  const matches = useMatchRoute()
  const isCurrent = (target: ModuleLink['to']): boolean =>
    matches({ to: target, params: { organization: organization.slug }, fuzzy: !isHome(target) }) !== false
  const active = children ? children.some((child) => isCurrent(child.to)) : isCurrent(to)
  const text = useMessages(label)
  return (
    <NavLink
      label={text}
      leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
      active={active && !children}
      opened={active}
      rightSection={children && <span />}
      renderRoot={(props) => (
        <Link
          {...props}
          to={to}
          params={{ organization: organization.slug }}
          activeOptions={{ exact: isHome(to) }}
          onClick={onGo}
          {...(active && !children && { 'aria-current': 'page' })}
        />
      )}
    >
      {active ? children?.map((child) => <Entry key={child.to} link={child} onGo={onGo} />) : undefined}
    </NavLink>
  )
}
