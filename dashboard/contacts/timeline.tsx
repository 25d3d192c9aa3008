import '@mantine/core/styles/Timeline.css'
import type { Contact, Event } from '@groundwork/api'
import { Box, Button, Group, Text, Timeline, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { rowsOf } from '../lib/pages.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { RelativeTime } from '../shell/relative-time.tsx'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'
import { timelineQuery } from './queries.ts'
import { contactWords } from './words.ts'

export function ContactTimeline({ contactId }: { contactId: string }) {
  const words = useWords(contactWords)
  const { more } = useWords(sharedWords)
  const query = useInfiniteQuery(timelineQuery(useWorkspace(), contactId))
  return (
    <Box component="section" aria-label={words.timeline}>
      <Title order={2} mb="md">
        {words.timeline}
      </Title>
      <Loaded query={query} skeleton={<SkeletonRows rows={4} />}>
        {(data) => (
          <>
            <Happenings events={rowsOf(data)} />
            {query.hasNextPage && (
              <Group mt="md">
                <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {more}
                </Button>
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Box>
  )
}

function Happenings({ events }: { events: readonly Event[] }) {
  const words = useWords(contactWords)
  if (events.length === 0) return <Text c="dimmed">{words.timelineEmpty}</Text>
  return (
    <Timeline bulletSize={12} lineWidth={2}>
      {events.map((event, index) => (
        <Timeline.Item key={event.id} title={<Text className="wrap">{told(event, events.slice(index + 1), words)}</Text>}>
          <Text size="sm" c="dimmed">
            <RelativeTime at={event.createdAt} />
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

/** @param before older events, newest first */
function told(event: Event, before: readonly Event[], words: (typeof contactWords)['en']): string {
  const { happened } = words
  switch (event.type) {
    case 'contact.created':
      return happened.created
    case 'contact.deleted':
      return happened.deleted
    case 'contact.updated': {
      const last = before.find(isOfContact)
      if (last === undefined) return happened.changed
      if (last.type === 'contact.deleted') return happened.restored
      const fields = changedFields(last.data, event.data).map((field) => words.fields[field])
      return fields.length === 0 ? happened.changed : happened.changedFields(fields.join(', '))
    }
    case 'proposal.created':
      return happened.proposalCreated(event.data.title)
    case 'proposal.sent':
      return happened.proposalSent(event.data.title)
    case 'proposal.expired':
      return happened.proposalExpired(event.data.title)
    case 'proposal.voided':
      return happened.proposalVoided(event.data.title)
    default:
      return happened.changed
  }
}

type ContactEvent = Extract<Event, { data: Contact }>
const isOfContact = (event: Event): event is ContactEvent => event.type.startsWith('contact.')

const knownFields = ['firstName', 'lastName', 'email', 'phone', 'tags', 'source', 'externalId'] as const

const changedFields = (before: Contact, after: Contact) =>
  knownFields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
