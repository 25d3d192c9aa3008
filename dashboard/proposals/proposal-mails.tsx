import type { Mail } from '@groundwork/api'
import { Badge, Paper, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useWorkspace } from '../lib/workspace.ts'
import type { Column } from '../shell/data-table.tsx'
import { PagedTable } from '../shell/paged-table.tsx'
import { RawError } from '../shell/raw-error.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { proposalMailsQuery } from './queries.ts'
import { proposalMessages } from './messages.ts'

const colors = { queued: 'gray', sent: 'green', failed: 'red', withheld: 'orange' } as const

/** Lists the messages about a proposal with their states and the answers of the mail server. */
export function ProposalMails({ proposalId }: { proposalId: string }) {
  const messages = useMessages(proposalMessages).mails
  const query = useInfiniteQuery(proposalMailsQuery(useWorkspace(), proposalId))
  const { columns } = messages
  const shown: Column<Mail>[] = [
    { key: 'subject', header: columns.subject, cell: ({ subject }) => <span className="wrap">{subject}</span> },
    { key: 'to', header: columns.to, width: 200, cell: ({ to }) => <span className="wrap">{to}</span> },
    {
      key: 'state',
      header: columns.state,
      width: 130,
      cell: ({ state, error, attempts }) => (
        <>
          <Badge variant="light" color={colors[state]}>
            {messages.states[state]}
          </Badge>
          {error !== null && <RawError summary={messages.errors[state]} error={error} label={messages.rawError} />}
          {attempts > 1 && (
            <Text size="sm" c="dimmed">
              {messages.attempts(attempts)}
            </Text>
          )}
        </>
      ),
    },
    { key: 'at', header: columns.at, width: 120, cell: ({ sentAt, createdAt }) => <RelativeTime at={sentAt ?? createdAt} /> },
  ]
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.title}>
      <Stack>
        <Title order={2}>{messages.title}</Title>
        <PagedTable
          query={query}
          empty={<Text>{messages.none}</Text>}
          skeleton={<SkeletonRows rows={2} />}
          label={messages.title}
          columns={shown}
          idOf={({ id }) => id}
          nameOf={({ subject }) => subject}
        />
      </Stack>
    </Paper>
  )
}
