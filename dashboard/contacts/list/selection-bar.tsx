import { Text } from '@mantine/core'
import { useState } from 'react'
import { useMessages } from '../../messages/messages.ts'
import { SelectionActions } from '../../shell/list/selection-actions.tsx'
import { SelectionBar } from '../../shell/list/selection-bar.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { filterOfChosen, maxBulkIds, type Chosen } from './bulk.ts'
import { ExportDialog } from './export-dialog.tsx'
import { listMessages } from './messages.ts'

interface ContactSelectionProps {
  chosen: Chosen
  /** The number of selected contacts. */
  count: number
  /** The number of contacts that match; undefined if they cannot be selected at once. */
  matching: number | undefined
  tags: string[]
  onSelectMatching: () => Promise<void>
  onClear: () => void
}

const actions = ['addTags', 'removeTags', 'assign', 'set', 'consent', 'export', 'delete'] as const

/** The actions for the selected contacts. */
export function ContactSelection({ chosen, count, matching, tags, onSelectMatching, onClear }: ContactSelectionProps) {
  const messages = useMessages(listMessages)
  const [action, setAction] = useState<(typeof actions)[number]>()
  const close = (): void => setAction(undefined)
  const isTooMany = 'contactIds' in chosen && count > maxBulkIds
  return (
    <SelectionBar label={messages.selection} count={count} matching={matching} onSelectMatching={onSelectMatching} onClear={onClear}>
      {isTooMany ? (
        <Text size="sm">{messages.tooMany}</Text>
      ) : (
        <SelectionActions
          actions={actions.map((id) => ({ id, label: messages.actions[id], isDangerous: id === 'delete', onClick: () => setAction(id) }))}
        />
      )}
      {action === 'export' && <ExportDialog wanted={{ filter: filterOfChosen(chosen) }} count={count} onClose={close} />}
      {action !== undefined && action !== 'export' && (
        <BulkDialog action={action} chosen={chosen} tags={tags} onClose={close} onDone={onClear} />
      )}
    </SelectionBar>
  )
}
