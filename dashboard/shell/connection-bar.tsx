import { Box, VisuallyHidden } from '@mantine/core'
import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { LiveState } from '../lib/event-stream.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

const useOnline = (): boolean =>
  useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )

/** Warns that data may be stale because the browser is offline or the server does not respond. */
export function ConnectionBar({ live }: { live: LiveState }) {
  const messages = useMessages(sharedMessages)
  const online = useOnline()
  const message = online ? (live === 'lost' ? messages.reconnecting : undefined) : messages.offline
  return (
    <div role="status" aria-live="polite">
      {message === undefined ? (
        live === 'restored' && <VisuallyHidden>{messages.connected}</VisuallyHidden>
      ) : (
        <Box className="connection-bar">{message}</Box>
      )}
    </div>
  )
}
