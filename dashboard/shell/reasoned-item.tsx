import { Menu, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface ReasonedItemProps {
  /** Why the action is not possible now; undefined if it is. */
  reason: string | undefined
  icon: ReactNode
  onClick: () => void
  children: ReactNode
}

/** An item of a menu that says why its action is not possible. It can be focused nevertheless, so that the reason reaches every user. */
export function ReasonedItem({ reason, icon, onClick, children }: ReasonedItemProps) {
  if (reason === undefined) {
    return (
      <Menu.Item leftSection={icon} onClick={onClick}>
        {children}
      </Menu.Item>
    )
  }
  return (
    <Menu.Item leftSection={icon} c="dimmed" aria-disabled closeMenuOnClick={false} maw={280}>
      {children}
      <Text size="xs" c="dimmed">
        {reason}
      </Text>
    </Menu.Item>
  )
}
