import { Box, VisuallyHidden } from '@mantine/core'
import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { LiveState } from '../lib/live.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

const useOnline = (): boolean =>
  useSyncExternalStore(
    (tell) => onlineManager.subscribe(tell),
    () => onlineManager.isOnline(),
  )

/** Says when what is shown may be old, since the machine is offline or the service does not answer. */
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
