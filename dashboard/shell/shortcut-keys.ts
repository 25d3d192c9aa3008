import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ModuleLink } from '../lib/module.ts'
import type { Membership } from '../lib/session.ts'
import { modules } from '../modules.ts'
import { visibleLinks } from './navigation.tsx'

/** The maximum time between `g` and the next letter. */
const sequenceMs = 1_500

/** Returns the visible pages that have a keyboard shortcut. */
export const linksWithKeys = (organization: Membership): readonly (ModuleLink & { key: string })[] =>
  visibleLinks(modules, organization.scopes)
    .flatMap((link) => [link, ...(link.children ?? [])])
    .flatMap((link) => (link.key === undefined ? [] : [{ ...link, key: link.key }]))

/** Handles the keyboard shortcuts: `g` followed by a letter opens a page, and `?` shows the list of shortcuts. */
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
      if (event.timeStamp - pressedAt > sequenceMs) return
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
