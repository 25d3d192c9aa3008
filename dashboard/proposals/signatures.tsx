import type { Proposal } from '@groundwork/api'
import { Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { exactTime } from '../lib/formats.ts'
import { browserOf } from '../lib/user-agent.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { signaturesQuery } from './queries.ts'
import { proposalMessages } from './messages.ts'

/** Shows the signatures of a completed proposal as its certificate states them. */
export function Signatures({ proposal: { id, contentHash } }: { proposal: Proposal }) {
  const messages = useMessages(proposalMessages).signatures
  const query = useQuery(signaturesQuery(useWorkspace(), id))
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.title}>
      <Stack>
        <Title order={2}>{messages.title}</Title>
        <Loaded query={query} skeleton={<SkeletonRows rows={2} />}>
          {(signatures) =>
            signatures.map(({ name, method, wording, signedAt, address, userAgent }) => (
              <div key={`${name} ${signedAt}`}>
                <Text fw={600} className="wrap">
                  {name}
                </Text>
                <Text size="sm" className="wrap">
                  “{wording}”
                </Text>
                <Text size="sm" c="dimmed" className="wrap">
                  {[method === 'drawn' ? messages.drawn : messages.typed, exactTime(signedAt), address, browserOf(userAgent)]
                    .filter((part) => part !== undefined && part !== '')
                    .join(' · ')}
                </Text>
              </div>
            ))
          }
        </Loaded>
        <Text size="sm" c="dimmed" className="wrap">
          {messages.contentHash} <code>{contentHash}</code>
        </Text>
      </Stack>
    </Paper>
  )
}
