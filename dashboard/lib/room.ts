import type { GroundworkApi, Received, Scope } from '@groundwork/api'
import type { TablerIcon } from '@tabler/icons-react'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import type { Catalogue } from '../words/words.ts'
import type { Workspace } from './workspace.ts'

/** A page in the navigation and the palette. */
export interface RoomLink {
  to: NonNullable<LinkProps['to']>
  label: Catalogue<string>
  icon: TablerIcon
  /** Who may not do this does not see it; everybody does without one. */
  scope?: Scope
  /** The letter that, behind g, goes there. */
  key?: string
  /** Below it in the navigation; shown when one of them may be seen, and the first of those is where it leads. */
  children?: readonly RoomLink[]
}

/** A record that the palette found. */
export interface Finding {
  id: string
  label: string
  description?: string
  icon: TablerIcon
  /** Its address within the organization, such as `/contacts/ctc_…`. */
  path: string
}

/** Something that happened in the organization, with the record as the API answers it. */
export type LiveEvent = Received<GroundworkApi['events']['stream']>

/** What a part of the dashboard adds to the frame around it. Its pages are in its routes.ts. */
export interface Room {
  links: readonly RoomLink[]
  /** The records that fit what was typed, best first, at most five or so. */
  find?: (workspace: Workspace, text: string, signal: AbortSignal) => Promise<Finding[]>
  /** Puts what an event tells into what is shown, at once and without asking: the record in it is as the API would answer it. */
  show?: (event: LiveEvent, shown: { queries: QueryClient; organizationId: string }) => void
  /** Which of its queries an event makes old: their keys, without the organization in front. */
  touchedBy?: (event: LiveEvent) => readonly QueryKey[]
}
