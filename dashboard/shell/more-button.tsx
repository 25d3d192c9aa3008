import { Button } from '@mantine/core'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

interface MoreButtonProps {
  query: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; readonly fetchNextPage: () => unknown }
  className?: string
}

/** A button that loads the next page of an infinite query; nothing after the last page. */
export function MoreButton({ query, className }: MoreButtonProps) {
  const { more } = useMessages(sharedMessages)
  if (!query.hasNextPage) return null
  return (
    <Button
      variant="default"
      {...(className !== undefined && { className })}
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {more}
    </Button>
  )
}
