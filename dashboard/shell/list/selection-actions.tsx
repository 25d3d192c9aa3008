import { Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { listsMessages } from '../../messages/lists.ts'
import { useMessages } from '../../messages/messages.ts'
import { useIsNarrow } from '../narrow.ts'

export interface SelectionAction {
  id: string
  label: string
  onClick: () => void
  isDangerous?: boolean
}

interface SelectionActionsProps {
  actions: readonly SelectionAction[]
  /** The id of the action that is running. The others wait for it. */
  running?: string | undefined
}

const danger = { c: 'var(--mantine-color-error)' }

/** The buttons of a `SelectionBar`. On a phone, several are the items of a menu. */
export function SelectionActions({ actions, running }: SelectionActionsProps) {
  const messages = useMessages(listsMessages)
  if (useIsNarrow() && actions.length > 1) {
    return (
      <Menu position="top-end">
        <Menu.Target>
          <Button
            size="compact-sm"
            mih={32}
            variant="default"
            leftSection={<IconDots size={16} aria-hidden />}
            aria-label={messages.moreActions}
            loading={running !== undefined}
          >
            {messages.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map(({ id, label, onClick, isDangerous = false }) => (
            <Menu.Item key={id} mih={44} onClick={onClick} {...(isDangerous && danger)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    )
  }
  return actions.map(({ id, label, onClick, isDangerous = false }) => (
    <Button
      key={id}
      size="compact-sm"
      mih={32}
      variant="default"
      {...(isDangerous && danger)}
      loading={running === id}
      disabled={running !== undefined && running !== id}
      onClick={onClick}
    >
      {label}
    </Button>
  ))
}
