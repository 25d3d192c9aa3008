import { Box, Skeleton } from '@mantine/core'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { SkeletonRows } from './states.tsx'

/** Shown while the code or the data of a page loads. */
export function PendingPage() {
  const { loading } = useMessages(sharedMessages)
  return (
    <Box role="status" aria-busy aria-label={loading}>
      <Skeleton height={34} width={220} mb="lg" />
      <SkeletonRows />
    </Box>
  )
}
