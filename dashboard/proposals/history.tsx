import '@mantine/core/styles/Timeline.css'
import type { Proposal } from '@groundwork/api'
import { Box, Text, Timeline, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { RelativeTime } from '../shell/relative-time.tsx'
import { useWords } from '../words/words.ts'
import { proposalActorsQuery } from './queries.ts'
import { proposalWords } from './words.ts'

/** What happened to a proposal and what will, as far as its record tells; and who did it, for who may read the audit log. */
export function ProposalHistory({ proposal }: { proposal: Proposal }) {
  const words = useWords(proposalWords)
  const entries = happenings(proposal, words.happened)
  const { data: actors = {} } = useQuery({ ...proposalActorsQuery(useWorkspace(), proposal.id), enabled: useMay('audit:read') })
  return (
    <Box component="section" aria-label={words.history}>
      <Title order={2} mb="md">
        {words.history}
      </Title>
      <Timeline bulletSize={12} lineWidth={2} active={entries.filter(({ ahead }) => !ahead).length - 1}>
        {entries.map(({ what, type, at, ahead }) => {
          const actor = type === null ? undefined : actors[type]
          return (
            <Timeline.Item key={what} lineVariant={ahead ? 'dashed' : 'solid'} title={<Text className="wrap">{what}</Text>}>
              <Text size="sm" c="dimmed">
                <RelativeTime at={at} />
                {actor !== undefined && ` ${words.by(actor)}`}
              </Text>
            </Timeline.Item>
          )
        })}
      </Timeline>
    </Box>
  )
}

type Happened = (typeof proposalWords)['en']['happened']
interface Happening {
  what: string
  /** Of the event, where somebody of the organization did it. */
  type: 'proposal.created' | 'proposal.sent' | 'proposal.voided' | null
  at: string
  ahead: boolean
}

function happenings(proposal: Proposal, words: Happened): Happening[] {
  const { createdAt, sentAt, viewedAt, completedAt, rejectedAt, voidedAt, voidReason, expiresAt, status } = proposal
  const all: [what: string, at: string | null, type?: Happening['type'], ahead?: boolean][] = [
    [words.created, createdAt, 'proposal.created'],
    [words.sent, sentAt, 'proposal.sent'],
    [words.viewed, viewedAt],
    [words.completed, completedAt],
    [words.rejected, rejectedAt],
    [words.expired, status === 'expired' ? expiresAt : null],
    [voidReason === null ? words.voided : words.voidedBecause(voidReason), voidedAt, 'proposal.voided'],
    [words.willExpire, status === 'draft' || status === 'pending' ? expiresAt : null, null, true],
  ]
  return all.flatMap(([what, at, type = null, ahead = false]) => (at === null ? [] : [{ what, type, at, ahead }]))
}
