import '@mantine/core/styles/Timeline.css'
import type { Contact, TimelineEntry } from '@groundwork/api'
import { Box, Group, Text, Timeline, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { rowsOf } from '../lib/pages.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { RelativeTime } from '../shell/relative-time.tsx'
import { MoreButton } from '../shell/more-button.tsx'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { isolated, useMessages } from '../messages/messages.ts'
import { fieldLabel } from './field-label.ts'
import { timelineQuery } from './queries.ts'
import { contactMessages } from './messages.ts'

export function ContactTimeline({ contactId }: { contactId: string }) {
  const messages = useMessages(contactMessages)
  const query = useInfiniteQuery(timelineQuery(useWorkspace(), contactId))
  return (
    <Box component="section" aria-label={messages.activity}>
      <Title order={2} mb="md">
        {messages.activity}
      </Title>
      <Loaded query={query} skeleton={<SkeletonRows rows={4} />}>
        {(data) => (
          <>
            <EventList events={rowsOf(data)} />
            {query.hasNextPage && (
              <Group mt="md">
                <MoreButton query={query} />
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Box>
  )
}

function EventList({ events }: { events: readonly TimelineEntry[] }) {
  const messages = useMessages(contactMessages)
  if (events.length === 0) return <Text c="dimmed">{messages.noActivity}</Text>
  return (
    <Timeline bulletSize={12} lineWidth={2}>
      {events.map((event, index) => (
        <Timeline.Item key={event.id} title={<Text className="wrap">{describeEvent(event, events.slice(index + 1), messages)}</Text>}>
          <Text size="sm" c="dimmed">
            <RelativeTime at={event.createdAt} />
            {event.actor?.name != null && ` ${messages.by(event.actor.name)}`}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

/** Describes an event. @param before older events, newest first */
function describeEvent(event: TimelineEntry, before: readonly TimelineEntry[], words: (typeof contactMessages)['en']): string {
  const { events: labels } = words
  switch (event.type) {
    case 'contact.created':
      return labels.created
    case 'contact.deleted':
    // The timeline of an erased contact is gone.
    case 'contact.erased':
      return labels.deleted
    case 'contact.restored':
      return labels.restored
    case 'contact.merged':
      return labels.merged
    case 'contact.unmerged':
      return labels.unmerged
    case 'contact.updated': {
      // A merge brings the events of another contact.
      const last = before.find((each): each is ContactEvent => isOfContact(each) && each.data.id === event.data.id)
      if (last === undefined) return labels.updated
      // Events of former versions.
      if (last.type === 'contact.deleted') return labels.restored
      const fields = changedFields(last.data, event.data).map((field) => words.fields[field])
      return fields.length === 0 ? labels.updated : labels.updatedFields(fields.map(isolated).join(', '))
    }
    case 'activity.created':
      return labels.activityCreated[event.data.type](event.data.text ?? '')
    case 'activity.updated':
      return labels.activityUpdated[event.data.type](event.data.text ?? '')
    case 'activity.deleted':
      return labels.activityDeleted[event.data.type]
    case 'suggestion.created':
      return labels.suggested(fieldLabel(event.data.field, words.fields))
    case 'proposal.created':
      return labels.proposalCreated(event.data.title)
    case 'proposal.sent':
      return labels.proposalSent(event.data.title)
    case 'proposal.delivery_failed':
      return labels.proposalDeliveryFailed(event.data.title)
    case 'proposal.reminded':
      return labels.proposalReminded(event.data.title)
    case 'proposal.viewed':
      return labels.proposalViewed(event.data.title)
    case 'proposal.signed':
      return labels.proposalSigned(event.data.title)
    case 'proposal.completed':
      return labels.proposalCompleted(event.data.title)
    case 'proposal.rejected':
      return labels.proposalRejected(event.data.title)
    case 'proposal.expired':
      return labels.proposalExpired(event.data.title)
    case 'proposal.voided':
      return labels.proposalVoided(event.data.title)
    case 'proposal.question_asked':
      return labels.proposalQuestion(event.data.title)
    case 'proposal.superseded':
      return labels.proposalSuperseded(event.data.title)
    default:
      return labels.updated
  }
}

type ContactEvent = Extract<TimelineEntry, { data: Contact }>
const isOfContact = (event: TimelineEntry): event is ContactEvent => event.type.startsWith('contact.')

const knownFields = [
  ...(['firstName', 'lastName', 'email', 'emails', 'phone', 'phones', 'jobTitle', 'address', 'tags', 'source', 'externalId'] as const),
  ...(['consent', 'doNotContact', 'language', 'timeZone', 'ownerId', 'companyId', 'customFields'] as const),
] as const

const changedFields = (before: Contact, after: Contact) =>
  knownFields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
