import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface RowMenuProps {
  /** The accessible name. Includes the name of the row. */
  label: string
  busy?: boolean
  /** Menu.Item elements. */
  children: ReactNode
}

/** A button with three dots that opens the actions of a row. */
export function RowMenu({ label, busy = false, children }: RowMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} loading={busy}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
