import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Finding } from '../lib/module.ts'
import { useWorkspace, type Workspace } from '../lib/workspace.ts'
import { modules } from '../modules.ts'
import { paletteMessages } from '../messages/palette.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages, messagesOf } from '../messages/messages.ts'
import { visibleLinks } from './navigation.tsx'
import { usePaletteActions, type PaletteAction } from './palette-actions.ts'

const [store, spotlight] = createSpotlight()
/** The delay between the last key and the search. */
const debounceMs = 150

/** Searches pages and records while the user types. Open while it is mounted. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const messages = useMessages(sharedMessages)
  const words = useMessages(paletteMessages)
  const workspace = useWorkspace()
  const [text, setText] = useState('')
  const pages = usePages(workspace, text)
  const records = useRecords(workspace, text)
  const actions = usePaletteActions(workspace, text)
  useEffect(() => {
    spotlight.open()
    return spotlight.close
  }, [])
  const groups = [{ group: messages.pages, entries: pages }, ...records, { group: words.actions, entries: actions }].filter(
    ({ entries }) => entries.length > 0,
  )
  useKeptSelection(
    text,
    groups.flatMap(({ entries }) => entries.map(({ id }) => id)),
  )
  return (
    <Spotlight
      store={store}
      actions={groups.map(({ group, entries }) => ({ group, actions: entries.map((entry) => toSpotlightAction(entry, onClose)) }))}
      query={text}
      onQueryChange={setText}
      onSpotlightClose={onClose}
      shortcut={null}
      clearQueryOnClose={false}
      filter={(_query, found) => found}
      nothingFound={messages.nothingFound}
      scrollable
      attributes={{ content: { 'aria-label': messages.searchOrJump } }}
      maxHeight={420}
      // The description of the selected entry is too pale.
      styles={{ actionDescription: { opacity: 1 } }}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: messages.searchOrJump,
        'aria-label': messages.searchOrJump,
      }}
    />
  )
}

/** The library selects an entry by an attribute of its element, and React moves and replaces these elements. */
function selectEntry(selected: number): void {
  const entries = document.getElementById(store.getState().listId)?.querySelectorAll('[data-action]') ?? []
  for (const [index, entry] of entries.entries()) {
    if (index === selected) entry.setAttribute('data-selected', 'true')
    else entry.removeAttribute('data-selected')
  }
  store.updateState((state) => ({ ...state, selected }))
}

/** Keeps the selected entry selected when records arrive, and selects the first one if it is gone or the text has changed. */
function useKeptSelection(text: string, entries: readonly string[]): void {
  const before = useRef({ text, ids: entries })
  const list = JSON.stringify(entries)
  // After the effect in which the list registers its id.
  useEffect(() => {
    const ids = JSON.parse(list) as string[]
    const { selected } = store.getState()
    const kept = before.current.text === text ? ids.indexOf(before.current.ids[selected] ?? '') : 0
    before.current = { text, ids }
    if (text !== '' || selected >= 0) selectEntry(Math.max(kept, 0))
  }, [text, list])
}

/** An action closes the palette at once. The library would do it after a render, and also if it was opened again meanwhile. */
const toSpotlightAction = ({ id, label, description, icon: Icon, run }: PaletteAction, close: () => void): SpotlightActionData => ({
  id,
  label,
  ...(description !== undefined && { description }),
  leftSection: <Icon size={18} aria-hidden />,
  closeSpotlightOnTrigger: false,
  onClick: () => {
    run()
    close()
  },
})

function usePages({ organization }: Workspace, text: string): PaletteAction[] {
  const navigate = useNavigate()
  const wanted = text.trim().toLocaleLowerCase()
  return visibleLinks(modules, organization.scopes)
    .flatMap((link) => link.children ?? [link])
    .filter(({ label }) => messagesOf(label).toLocaleLowerCase().includes(wanted))
    .map(({ to, label, icon }) => ({
      id: to,
      label: messagesOf(label),
      icon,
      run: () => void navigate({ to, params: { organization: organization.slug } }),
    }))
}

function useRecords(workspace: Workspace, text: string): { group: string; entries: PaletteAction[] }[] {
  const router = useRouter()
  const [wanted] = useDebouncedValue(text.trim(), debounceMs)
  const { data = [] } = useQuery({
    queryKey: [workspace.organization.id, 'palette', wanted],
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => findEverywhere(workspace, wanted, signal),
  })
  if (wanted === '') return []
  const go = (path: string): void => {
    router.history.push(router.history.createHref(`${router.basepath}/${workspace.organization.slug}${path}`))
  }
  return data.map(({ label, found }) => ({
    group: label,
    entries: found.map(({ path, ...finding }) => ({ ...finding, run: () => go(path) })),
  }))
}

async function findEverywhere(workspace: Workspace, text: string, signal: AbortSignal): Promise<{ label: string; found: Finding[] }[]> {
  const all = modules.map(async ({ find, links }) => ({
    label: links[0] === undefined ? '' : messagesOf(links[0].label),
    // A module that fails is left out, so that the results of the others appear.
    found: (await find?.(workspace, text, signal).catch(() => [])) ?? [],
  }))
  return Promise.all(all)
}
