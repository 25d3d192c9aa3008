import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { RoomLink } from '../lib/room.ts'
import type { Membership } from '../lib/session.ts'
import { rooms } from '../rooms.ts'
import { visibleLinks } from './navigation.tsx'

/** How long the second letter may take. */
const patienceMs = 1_500

/** Every page that a shortcut leads to. */
export const linksWithKeys = (organization: Membership): readonly (RoomLink & { key: string })[] =>
  visibleLinks(rooms, organization.scopes)
    .flatMap((link) => [link, ...(link.children ?? [])])
    .flatMap((link) => (link.key === undefined ? [] : [{ ...link, key: link.key }]))

/** `g`, then the letter of a page, goes there; `?` shows what there is. */
export function useShortcutKeys(organization: Membership, showHelp: () => void): void {
  const navigate = useNavigate()
  useEffect(() => {
    let pressedAt = -Infinity
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === '?') showHelp()
      if (event.key === 'g') {
        pressedAt = event.timeStamp
        return
      }
      if (event.timeStamp - pressedAt > patienceMs) return
      pressedAt = -Infinity
      const link = linksWithKeys(organization).find(({ key }) => key === event.key)
      if (link === undefined) return
      event.preventDefault()
      void navigate({ to: link.to, params: { organization: organization.slug } })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, organization, showHelp])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select, [role=dialog]') !== null)
