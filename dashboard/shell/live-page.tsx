import type { PreviewProposalPage } from '@groundwork/api'
import { Skeleton, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../lib/errors.ts'
import { fieldErrors } from '../lib/field-errors.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { PagePreview } from './page-preview.tsx'

/** The delay between the last change and the request. */
const debounceMs = 400

/** Shows the page of a proposal with this content, which the server renders and does not store. */
export function LivePage({ content, help }: { content: PreviewProposalPage; help: string }) {
  const messages = useMessages(sharedMessages)
  const { client, organization } = useWorkspace()
  const [settled] = useDebouncedValue(JSON.stringify(content), debounceMs)
  const query = useQuery({
    queryKey: [organization.id, 'page-preview', settled],
    queryFn: ({ signal }) => client.proposals.previewPage(contentIn(settled), { signal }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  // After a refused change, the last page stays visible.
  const [last, setLast] = useState<string>()
  if (query.data !== undefined && query.data.html !== last) setLast(query.data.html)
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {query.error === null ? help : (Object.values(fieldErrors(query.error))[0] ?? messageOf(query.error))}
      </Text>
      {last !== undefined ? (
        <PagePreview html={last} title={messages.previewTitle} />
      ) : (
        // Nothing is on its way after a refusal.
        query.error === null && <Skeleton height={420} />
      )}
    </>
  )
}

/** Only `LivePage` writes this text. */
const contentIn = (json: string): PreviewProposalPage => JSON.parse(json) as PreviewProposalPage
