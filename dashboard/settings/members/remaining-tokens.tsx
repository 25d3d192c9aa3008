import type { Member } from '@groundwork/api'
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { tokensKey, workingTokensOf } from '../tokens/queries.ts'
import { memberMessages } from './messages.ts'

/** Warns about API tokens that keep working after their creator leaves. */
export function RemainingTokens({ member: { id } }: { member: Member }) {
  const messages = useMessages(memberMessages)
  const workspace = useWorkspace()
  const { data: working = 0 } = useQuery({
    queryKey: [...tokensKey(workspace), 'working', id],
    queryFn: () => workingTokensOf(workspace, id),
    enabled: useMay('tokens:read'),
  })
  if (working === 0) return null
  const { slug } = workspace.organization
  return (
    <Text size="sm" mt="sm" role="status">
      {messages.tokensGoOn(working)} {/* Opens in a new tab, so that the dialog stays open. */}
      <Anchor size="sm" underline="always" href={`/app/${slug}/settings/tokens?createdBy=${id}`} target="_blank" rel="noreferrer">
        {messages.seeTokens}
      </Anchor>
    </Text>
  )
}
