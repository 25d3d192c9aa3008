import type { Proposal, ProposalRecipient } from '@groundwork/api'
import { Anchor, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { CopyButton } from '../shell/copy-button.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { useMessages } from '../messages/messages.ts'
import { proposalMessages } from './messages.ts'
import { CounterSignature } from './countersign.tsx'
import { deliveryHelp } from './delivery-help.ts'
import { signingMessages } from './signing-messages.ts'
import { statusColors } from './states.ts'

const colors = {
  waiting: statusColors.draft,
  pending: statusColors.pending,
  viewed: statusColors.pending,
  signed: statusColors.completed,
  declined: statusColors.rejected,
}

/** Shows the recipients of a proposal with their answers, and the links to their pages while an answer is possible. */
export function Recipients({ proposal }: { proposal: Proposal }) {
  const messages = useMessages(proposalMessages)
  const { recipients, status } = proposal
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.recipients.title}>
      <Stack>
        <Title order={2}>{messages.recipients.title}</Title>
        {recipients.map((recipient) => (
          <Recipient key={recipient.id} recipient={recipient} sent={status !== 'draft'} />
        ))}
        {proposal.counterSignature && <CounterSignature proposal={proposal} />}
        {status === 'pending' && (
          <Text size="sm" c="dimmed">
            {messages.recipients.linkHelp}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function Recipient({ recipient, sent }: { recipient: ProposalRecipient; sent: boolean }) {
  const messages = useMessages(proposalMessages).recipients
  const { copy, waits } = useMessages(signingMessages)
  const { role, name, email, status, url, delivery, deliveredAt, viewedAt, signedAt } = recipient
  const label = name ?? email ?? messages.unnamed
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Group gap="xs">
          <Text fw={600} className="wrap">
            {label}
          </Text>
          <Badge variant="light" color={colors[status]}>
            {sent && status === 'waiting' ? waits : messages.statuses[status]}
          </Badge>
          {role === 'copy' && (
            <Badge variant="outline" color="gray">
              {copy}
            </Badge>
          )}
        </Group>
        {email !== null && name !== null && (
          <Text size="sm" c="dimmed" className="wrap">
            {email}
          </Text>
        )}
        {delivery !== null && (
          <Text size="sm" c={delivery.state === 'failed' ? 'red' : 'dimmed'} className="wrap">
            {messages.delivery[delivery.state]} {deliveredAt !== null && <RelativeTime at={deliveredAt} />}
            {delivery.reason !== null && ` ${messages[deliveryHelp(delivery)]}`}
          </Text>
        )}
        {signedAt !== null && (
          <Text size="sm" c="dimmed">
            {messages.signed} <RelativeTime at={signedAt} />
          </Text>
        )}
        {signedAt === null && viewedAt !== null && (
          <Text size="sm" c="dimmed">
            {messages.viewed} <RelativeTime at={viewedAt} />
          </Text>
        )}
      </div>
      {url !== null && (
        <Group gap="xs">
          <CopyButton value={url} name={messages.linkOf(label)} label={messages.copyLink} />
          <Anchor href={`${url}?preview`} target="_blank" rel="noreferrer noopener" size="sm">
            {messages.openPage}
          </Anchor>
        </Group>
      )}
    </Group>
  )
}
