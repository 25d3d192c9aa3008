import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'

/** Shows notifications. Those from before it was loaded appear as soon as it is. */
export default function Toasts(): ReactNode {
  return <Notifications position="bottom-right" limit={4} />
}
