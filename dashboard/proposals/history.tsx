import '@mantine/core/styles/Timeline.css'
import type { Proposal } from '@groundwork/api'
import { Box, Text, Timeline, Title } from '@mantine/core'
import { RelativeTime } from '../shell/relative-time.tsx'
import { useWords } from '../words/words.ts'
import { proposalWords } from './words.ts'

/** What happened to a proposal and what will, as far as its record tells. */
export function ProposalHistory({ proposal }: { proposal: Proposal }) {
  const words = useWords(proposalWords)
  const entries = happenings(proposal, words.happened)
  return (
    <Box component="section" aria-label={words.history}>
      <Title order={2} mb="md">
        {words.history}
      </Title>
      <Timeline bulletSize={12} lineWidth={2} active={entries.filter(({ ahead }) => !ahead).length - 1}>
        {entries.map(({ what, at, ahead }) => (
          <Timeline.Item key={what} lineVariant={ahead ? 'dashed' : 'solid'} title={<Text className="wrap">{what}</Text>}>
            <Text size="sm" c="dimmed">
              <RelativeTime at={at} />
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Box>
  )
}

type Happened = (typeof proposalWords)['en']['happened']
interface Happening {
  what: string
  at: string
  ahead: boolean
}

function happenings(proposal: Proposal, words: Happened): Happening[] {
  const { createdAt, sentAt, viewedAt, completedAt, rejectedAt, voidedAt, voidReason, expiresAt, status } = proposal
  const all: [what: string, at: string | null, ahead?: boolean][] = [
    [words.created, createdAt],
    [words.sent, sentAt],
    [words.viewed, viewedAt],
    [words.completed, completedAt],
    [words.rejected, rejectedAt],
    [words.expired, status === 'expired' ? expiresAt : null],
    [voidReason === null ? words.voided : words.voidedBecause(voidReason), voidedAt],
    [words.willExpire, status === 'draft' || status === 'pending' ? expiresAt : null, true],
  ]
  return all.flatMap(([what, at, ahead = false]) => (at === null ? [] : [{ what, at, ahead }]))
}
