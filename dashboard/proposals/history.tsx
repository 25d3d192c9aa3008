import '@mantine/core/styles/Timeline.css'
import type { Proposal } from '@groundwork/api'
import { Box, Text, Timeline, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { RelativeTime } from '../shell/relative-time.tsx'
import { useMessages } from '../messages/messages.ts'
import { proposalActorsQuery } from './queries.ts'
import { proposalMessages } from './messages.ts'

/** Shows past and future events of a proposal. Users with access to the audit log also see the actor of each event. */
export function ProposalHistory({ proposal }: { proposal: Proposal }) {
  const messages = useMessages(proposalMessages)
  const entries = entriesOf(proposal, messages.events)
  const { data: actors = {} } = useQuery({ ...proposalActorsQuery(useWorkspace(), proposal.id), enabled: useMay('audit:read') })
  return (
    <Box component="section" aria-label={messages.activity}>
      <Title order={2} mb="md">
        {messages.activity}
      </Title>
      <Timeline bulletSize={12} lineWidth={2} active={entries.filter(({ isFuture }) => !isFuture).length - 1}>
        {entries.map(({ label, type, at, isFuture }) => {
          const actor = type === null ? undefined : actors[type]
          return (
            <Timeline.Item key={label} lineVariant={isFuture ? 'dashed' : 'solid'} title={<Text className="wrap">{label}</Text>}>
              <Text size="sm" c="dimmed">
                <RelativeTime at={at} />
                {actor !== undefined && ` ${messages.by(actor)}`}
              </Text>
            </Timeline.Item>
          )
        })}
      </Timeline>
    </Box>
  )
}

type EventLabels = (typeof proposalMessages)['en']['events']
interface Entry {
  label: string
  /** The event type, if a user or a token caused the event. */
  type: 'proposal.created' | 'proposal.sent' | 'proposal.voided' | null
  at: string
  isFuture: boolean
}

function entriesOf(proposal: Proposal, words: EventLabels): Entry[] {
  const { createdAt, sentAt, viewedAt, completedAt, rejectedAt, voidedAt, rejectReason, voidReason, expiresAt, status } = proposal
  const all: [label: string, at: string | null, type?: Entry['type'], isFuture?: boolean][] = [
    [words.created, createdAt, 'proposal.created'],
    [words.sent, sentAt, 'proposal.sent'],
    [words.viewed, viewedAt],
    [words.completed, completedAt],
    [rejectReason === null ? words.rejected : words.rejectedBecause(rejectReason), rejectedAt],
    [words.expired, status === 'expired' ? expiresAt : null],
    [voidReason === null ? words.voided : words.voidedBecause(voidReason), voidedAt, 'proposal.voided'],
    [words.willExpire, status === 'draft' || status === 'pending' ? expiresAt : null, null, true],
  ]
  return all.flatMap(([label, at, type = null, isFuture = false]) => (at === null ? [] : [{ label, type, at, isFuture }]))
}
