import { Button, CloseButton, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useMessages } from '../../messages/messages.ts'
import { BulkDialog, type Action } from './bulk-dialog.tsx'
import type { Chosen } from './bulk.ts'
import { listMessages } from './messages.ts'

interface SelectionBarProps {
  chosen: Chosen
  /** The number of selected contacts. */
  count: number
  /** The number of contacts that match; undefined if they cannot be selected at once. */
  matching: number | undefined
  tags: string[]
  onSelectMatching: () => void
  onClear: () => void
}

const actions = ['addTags', 'removeTags', 'assign', 'language', 'delete'] as const satisfies readonly Action[]

/** Maximum number of ids of a bulk change. */
const maxIds = 1_000

/** The actions for the selected contacts. */
export function SelectionBar({ chosen, count, matching, tags, onSelectMatching, onClear }: SelectionBarProps) {
  const messages = useMessages(listMessages)
  const [action, setAction] = useState<Action>()
  const isTooMany = 'contactIds' in chosen && count > maxIds
  return (
    <div className="selection-bar" role="region" aria-label={messages.selection}>
      <Group gap="xs" className="selection-actions">
        <CloseButton size={32} aria-label={messages.clear} onClick={onClear} />
        <Text size="sm" fw={500} role="status" className="one-line">
          {messages.selected(count)}
        </Text>
        {matching !== undefined && matching > count && (
          <Button size="compact-sm" mih={32} variant="subtle" onClick={onSelectMatching}>
            {messages.selectAllMatching(matching)}
          </Button>
        )}
        {isTooMany ? (
          <Text size="sm">{messages.tooMany}</Text>
        ) : (
          actions.map((each) => (
            <Button key={each} size="compact-sm" mih={32} variant="default" onClick={() => setAction(each)}>
              {messages.actions[each]}
            </Button>
          ))
        )}
      </Group>
      {action !== undefined && (
        <BulkDialog action={action} chosen={chosen} tags={tags} onClose={() => setAction(undefined)} onDone={onClear} />
      )}
    </div>
  )
}
