import type { GroundworkApi, Received, Scope } from '@groundwork/api'
import type { TablerIcon } from '@tabler/icons-react'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import type { Messages } from '../messages/messages.ts'
import type { Workspace } from './workspace.ts'

/** A page in the navigation and the palette. */
export interface ModuleLink {
  to: NonNullable<LinkProps['to']>
  label: Messages<string>
  icon: TablerIcon
  /** The permission that a user needs to see the page. Without one, all users see it. */
  scope?: Scope
  /** The letter of the keyboard shortcut: `g`, then this letter. */
  key?: string
  /** Pages below this one in the navigation. The entry links to the first child that the user may see, and is hidden if there is none. */
  children?: readonly ModuleLink[]
}

/** A record that the palette found. */
export interface Finding {
  id: string
  label: string
  description?: string
  icon: TablerIcon
  /** The path within the organization, such as `/contacts/ctc_…`. */
  path: string
}

/** An event of the organization, with the record in API format. */
export type LiveEvent = Received<GroundworkApi['events']['stream']>

/** The entries of a module in the navigation, the palette and live updates. Its pages are in its routes.ts. */
export interface Module {
  links: readonly ModuleLink[]
  /** Finds records for the palette, best first, at most about five. Loaded when the palette asks, since the first load includes the module. */
  find?: (workspace: Workspace, text: string, signal: AbortSignal) => Promise<Finding[]>
  /** Updates cached data with the record in an event, without a request. */
  show?: (event: LiveEvent, shown: { queries: QueryClient; organizationId: string }) => void
  /** Returns the keys of queries that an event makes stale, without the organization id. */
  touchedBy?: (event: LiveEvent) => readonly QueryKey[]
}
