import { Box, VisuallyHidden } from '@mantine/core'
import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { LiveState } from '../lib/live.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

const useOnline = (): boolean =>
  useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )

/** Warns that data may be stale because the browser is offline or the server does not respond. */
export function ConnectionBar({ live }: { live: LiveState }) {
  const words = useWords(sharedWords)
  const online = useOnline()
  const message = online ? (live === 'lost' ? words.reconnecting : undefined) : words.offline
  return (
    <div role="status" aria-live="polite">
      {message === undefined ? (
        live === 'restored' && <VisuallyHidden>{words.connected}</VisuallyHidden>
      ) : (
        <Box className="connection-bar">{message}</Box>
      )}
    </div>
  )
}
