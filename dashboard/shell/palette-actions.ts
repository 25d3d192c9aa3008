import type { Scope } from '@groundwork/api'
import { useMantineColorScheme } from '@mantine/core'
import {
  IconBook,
  IconBooks,
  IconBuilding,
  IconFileDollar,
  IconFileImport,
  IconKey,
  IconLogout,
  IconSunMoon,
  IconTrash,
  IconUserPlus,
  IconUsersPlus,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react'
import { useNavigate, type LinkProps } from '@tanstack/react-router'
import { signOut } from '../lib/session.ts'
import type { Workspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { paletteMessages } from '../messages/palette.ts'

/** An entry of the palette. */
export interface PaletteAction {
  id: string
  label: string
  description?: string
  icon: TablerIcon
  run: () => void
}

interface PageAction {
  to: NonNullable<LinkProps['to']>
  icon: TablerIcon
  scope: Scope
  /** Whether the page opens the form that creates a record. */
  create?: true
}

const pageActions = {
  createContact: { to: '/$organization/contacts', icon: IconUserPlus, scope: 'contacts:write', create: true },
  importContacts: { to: '/$organization/contacts/import', icon: IconFileImport, scope: 'contacts:write' },
  deletedContacts: { to: '/$organization/contacts/deleted', icon: IconTrash, scope: 'contacts:write' },
  createCompany: { to: '/$organization/companies', icon: IconBuilding, scope: 'contacts:write', create: true },
  createProposal: { to: '/$organization/proposals/new', icon: IconFileDollar, scope: 'proposals:write' },
  createBase: { to: '/$organization/knowledge', icon: IconBooks, scope: 'bases:write', create: true },
  createToken: { to: '/$organization/settings/tokens', icon: IconKey, scope: 'tokens:write', create: true },
  createEndpoint: { to: '/$organization/settings/webhooks', icon: IconWebhook, scope: 'webhooks:write', create: true },
  inviteMember: { to: '/$organization/settings/members', icon: IconUsersPlus, scope: 'members:write', create: true },
} satisfies Record<string, PageAction>

/** Returns the actions that the user may take, with a label that contains the text. */
export function usePaletteActions({ organization }: Workspace, text: string): PaletteAction[] {
  const messages = useMessages(paletteMessages)
  const navigate = useNavigate()
  const { toggleColorScheme } = useMantineColorScheme()
  const names = Object.keys(pageActions) as (keyof typeof pageActions)[]
  const ofPages = names.flatMap((name) => {
    const { to, icon, scope, ...page }: PageAction = pageActions[name]
    if (!organization.scopes.includes(scope)) return []
    const run = (): void => void navigate({ to, params: { organization: organization.slug }, state: { create: page.create ?? false } })
    return [{ id: name, label: messages[name], icon, run }]
  })
  const wanted = text.trim().toLocaleLowerCase()
  return [
    ...ofPages,
    { id: 'switchTheme', label: messages.switchTheme, icon: IconSunMoon, run: toggleColorScheme },
    { id: 'readGuides', label: messages.readGuides, icon: IconBook, run: () => window.open('/docs', '_blank', 'noopener') },
    { id: 'signOut', label: messages.signOut, icon: IconLogout, run: () => void signOut() },
  ].filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
}
