import { ActionIcon, Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../messages/messages.ts'
import { listMessages } from './messages.ts'
import type { ListState } from './search.ts'
import { filterOf } from './state.ts'

const ExportDialog = lazy(() => import('./export-dialog.tsx').then((module) => ({ default: module.ExportDialog })))

/** A button that exports the contacts of the list. @param total the number of contacts of the list */
export function ExportButton({ state, total }: { state: ListState; total: number }) {
  const { actions } = useMessages(listMessages)
  const [opened, setOpened] = useState(false)
  const { q } = state
  const filter = filterOf(state)
  const wanted = { ...(q !== undefined && { q }), ...(filter !== undefined && { filter }) }
  const open = (): void => setOpened(true)
  return (
    <>
      <ActionIcon variant="default" size={36} hiddenFrom="sm" aria-label={actions.export} onClick={open}>
        <IconDownload size={16} aria-hidden />
      </ActionIcon>
      <Button variant="default" visibleFrom="sm" leftSection={<IconDownload size={16} aria-hidden />} onClick={open}>
        {actions.export}
      </Button>
      <Suspense>{opened && <ExportDialog wanted={wanted} count={total} onClose={() => setOpened(false)} />}</Suspense>
    </>
  )
}
