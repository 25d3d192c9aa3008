import { NavLink, Stack } from '@mantine/core'
import { Link, useMatchRoute } from '@tanstack/react-router'
import type { Room, RoomLink } from '../lib/room.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { rooms } from '../rooms.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

/** Returns the pages that the user's permissions allow. Omits pages whose children are all hidden. */
export function visibleLinks(modules: readonly Room[], scopes: readonly string[]): readonly RoomLink[] {
  const isAllowed = ({ scope }: RoomLink): boolean => scope === undefined || scopes.includes(scope)
  return modules
    .flatMap(({ links }) => links)
    .filter(isAllowed)
    .map((link) => (link.children ? { ...link, children: link.children.filter(isAllowed) } : link))
    .filter(({ children }) => children === undefined || children.length > 0)
    .map((link) => ({ ...link, to: link.children?.[0]?.to ?? link.to }))
}

export function Navigation({ onGo }: { onGo?: () => void }) {
  const words = useWords(sharedWords)
  const { organization } = useWorkspace()
  return (
    <Stack component="nav" gap={2} aria-label={words.navigation}>
      {visibleLinks(rooms, organization.scopes).map((link) => (
        <Entry key={link.to} link={link} onGo={onGo} />
      ))}
    </Stack>
  )
}

/** All other paths start with the path of Home. */
const isHome = (to: RoomLink['to']): boolean => to === '/$organization'

function Entry({ link: { to, label, icon: Icon, children }, onGo }: { link: RoomLink; onGo: (() => void) | undefined }) {
  const { organization } = useWorkspace()
  const matches = useMatchRoute()
  const isCurrent = (target: RoomLink['to']): boolean =>
    matches({ to: target, params: { organization: organization.slug }, fuzzy: !isHome(target) }) !== false
  const active = children ? children.some((child) => isCurrent(child.to)) : isCurrent(to)
  const text = useWords(label)
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
