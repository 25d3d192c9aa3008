import { Anchor, Box, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { rowsOf } from '../lib/pages.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { Money } from '../shell/money.tsx'
import { MoreButton } from '../shell/more-button.tsx'
import { useMayEdit } from '../shell/record-gone.tsx'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { proposalsQuery } from './queries.ts'
import { StatusBadge } from './status-badge.tsx'
import { proposalMessages } from './messages.ts'

/** Lists the proposals of a contact. */
export function ProposalsOfContact({ contactId }: { contactId: string }) {
  const messages = useMessages(proposalMessages)
  const workspace = useWorkspace()
  const organization = workspace.organization.slug
  const query = useInfiniteQuery(proposalsQuery(workspace, { contactId }))
  const mayWrite = useMayEdit('proposals:write')
  return (
    <Box component="section" aria-label={messages.ofContact}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{messages.ofContact}</Title>
        {mayWrite && (
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link {...props} to="/$organization/proposals/new" params={{ organization }} search={{ contact: contactId }} />
            )}
          >
            {messages.newProposal}
          </Button>
        )}
      </Group>
      <Loaded query={query} skeleton={<SkeletonRows rows={2} />}>
        {(data) => (
          <Stack gap="xs">
            {rowsOf(data).length === 0 && <Text c="dimmed">{messages.noneOfContact}</Text>}
            {rowsOf(data).map(({ id, title, status, totalAmount, currency }) => (
              <Group key={id} justify="space-between" gap="xs">
                <Anchor
                  className="wrap"
                  renderRoot={(props) => (
                    <Link {...props} to="/$organization/proposals/$proposalId" params={{ organization, proposalId: id }} />
                  )}
                >
                  {title}
                </Anchor>
                <Group gap="xs">
                  <Money amount={totalAmount} currency={currency} />
                  <StatusBadge status={status} />
                </Group>
              </Group>
            ))}
            <MoreButton query={query} />
          </Stack>
        )}
      </Loaded>
    </Box>
  )
}
