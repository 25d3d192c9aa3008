import type { Proposal, ProposalView } from '@groundwork/api'
import { Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { browserOf } from '../lib/user-agent.ts'
import { useWorkspace } from '../lib/workspace.ts'
import type { Column } from '../shell/data-table.tsx'
import { PagedTable } from '../shell/paged-table.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { viewsQuery } from './queries.ts'
import { proposalMessages } from './messages.ts'

const kinds: readonly ProposalView['kind'][] = ['person', 'sender', 'robot']

/** Lists who opened the page of a proposal: people, members of the organization, and programs. */
export function ProposalViews({ proposal }: { proposal: Proposal }) {
  const messages = useMessages(proposalMessages).views
  const [kind, setKind] = useState<ProposalView['kind']>('person')
  const query = useInfiniteQuery(viewsQuery(useWorkspace(), proposal.id, kind))
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.title}>
      <Stack>
        <Group justify="space-between">
          <Title order={2}>{messages.title}</Title>
          <SegmentedControl
            aria-label={messages.kind}
            data={kinds.map((value) => ({ value, label: messages.kinds[value] }))}
            value={kind}
            onChange={setKind}
          />
        </Group>
        <Text size="sm" c="dimmed">
          {messages.help[kind]}
        </Text>
        <PagedTable
          query={query}
          empty={<Text>{messages.none}</Text>}
          skeleton={<SkeletonRows rows={2} />}
          label={messages.title}
          columns={useColumns(proposal)}
          idOf={({ id }) => id}
          nameOf={({ userAgent }) => browserOf(userAgent) ?? userAgent}
        />
      </Stack>
    </Paper>
  )
}

function useColumns({ recipients }: Proposal): Column<ProposalView>[] {
  const messages = useMessages(proposalMessages)
  const { columns } = messages.views
  const nameOf = (recipientId: string): string => {
    const recipient = recipients.find(({ id }) => id === recipientId)
    return recipient?.name ?? recipient?.email ?? messages.recipients.unnamed
  }
  return [
    {
      key: 'browser',
      header: columns.browser,
      cell: ({ userAgent }) => (
        <span className="wrap" title={userAgent}>
          {browserOf(userAgent) ?? (userAgent === '' ? messages.views.noUserAgent : userAgent)}
        </span>
      ),
    },
    { key: 'recipient', header: columns.recipient, cell: ({ recipientId }) => nameOf(recipientId) },
    { key: 'openings', header: columns.openings, cell: ({ openings }) => openings, align: 'right' },
    { key: 'first', header: columns.first, cell: ({ firstSeenAt }) => <RelativeTime at={firstSeenAt} /> },
    { key: 'last', header: columns.last, cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
  ]
}
