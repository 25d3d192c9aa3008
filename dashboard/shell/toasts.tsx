import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'

/** Where it is said that something is done, or why it did not work. What was said before it was loaded is shown then. */
export default function Toasts(): ReactNode {
  return <Notifications position="bottom-right" limit={4} />
}
