import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useMessages } from '../../messages/messages.ts'
import { SelectionBar } from '../../shell/list/selection-bar.tsx'
import { BulkDialog, type Action } from './bulk-dialog.tsx'
import { maxBulkIds, type Chosen } from './bulk.ts'
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

const actions = ['addTags', 'removeTags', 'assign', 'language', 'delete'] as const satisfies readonly Action[]

/** The actions for the selected contacts. */
export function ContactSelection({ chosen, count, matching, tags, onSelectMatching, onClear }: ContactSelectionProps) {
  const messages = useMessages(listMessages)
  const [action, setAction] = useState<Action>()
  const isTooMany = 'contactIds' in chosen && count > maxBulkIds
  return (
    <SelectionBar label={messages.selection} count={count} matching={matching} onSelectMatching={onSelectMatching} onClear={onClear}>
      {isTooMany ? (
        <Text size="sm">{messages.tooMany}</Text>
      ) : (
        actions.map((each) => (
          <Button key={each} size="compact-sm" mih={32} variant="default" onClick={() => setAction(each)}>
            {messages.actions[each]}
          </Button>
        ))
      )}
      {action !== undefined && (
        <BulkDialog action={action} chosen={chosen} tags={tags} onClose={() => setAction(undefined)} onDone={onClear} />
      )}
    </SelectionBar>
  )
}
