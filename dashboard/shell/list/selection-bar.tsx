import './list.css'
import { Button, CloseButton, Group, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { listsMessages } from '../../messages/lists.ts'
import { useMessages } from '../../messages/messages.ts'

interface SelectionBarProps {
  /** The accessible name. */
  label: string
  /** The number of selected rows. */
  count: number
  /** The number of rows that match; undefined if they cannot be selected at once. */
  matching?: number | undefined
  onSelectMatching?: () => Promise<void>
  onClear: () => void
  /** The actions. */
  children: ReactNode
}

/** The number of selected rows and the actions on them. Stays in view while the list scrolls. */
export function SelectionBar({ label, count, matching, onSelectMatching, onClear, children }: SelectionBarProps) {
  const messages = useMessages(listsMessages)
  const [isLoading, setLoading] = useState(false)
  return (
    <div className="selection-bar" role="region" aria-label={label}>
      <Group gap="xs" className="selection-actions">
        <CloseButton size={32} aria-label={messages.clearSelection} onClick={onClear} />
        <Text size="sm" fw={500} role="status" className="one-line">
          {messages.selected(count)}
        </Text>
        {matching !== undefined && matching > count && (
          <Button
            size="compact-sm"
            mih={32}
            variant="subtle"
            loading={isLoading}
            onClick={() => {
              setLoading(true)
              void onSelectMatching?.().finally(() => setLoading(false))
            }}
          >
            {messages.selectAllMatching(matching)}
          </Button>
        )}
        {children}
      </Group>
    </div>
  )
}
