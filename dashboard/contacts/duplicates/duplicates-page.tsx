import './duplicates.css'
import type { Contact, ContactDuplicate } from '@groundwork/api'
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { contactName } from '../../lib/contact.ts'
import { percent } from '../../lib/formats.ts'
import { rowsOf } from '../../lib/pages.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import { notifyError } from '../../shell/notify.tsx'
import { Page } from '../../shell/page.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { ContactRowLink } from '../../shell/contact-row-link.tsx'
import { MoreButton } from '../../shell/more-button.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../shell/states.tsx'
import { shownError } from '../list/errors.ts'
import { contactsLabel } from '../messages.ts'
import { duplicatesKey } from '../keys.ts'
import { duplicateMessages } from './messages.ts'
import { duplicatesQuery } from './queries.ts'

/** The pairs of contacts that are probably the same person. */
export function DuplicatesPage() {
  const messages = useMessages(duplicateMessages)
  const contacts = useMessages(contactsLabel)
  const query = useInfiniteQuery(duplicatesQuery(useWorkspace()))
  return (
    <Page
      guide="duplicates"
      title={messages.title}
      description={messages.about}
      crumbs={[{ label: contacts, to: '/$organization/contacts' }]}
    >
      <Loaded query={query} skeleton={<SkeletonRows height={120} />}>
        {(data) => {
          const pairs = rowsOf(data)
          if (pairs.length === 0) {
            return (
              <EmptyState icon={IconUsers} title={messages.none}>
                {messages.noneHelp}
              </EmptyState>
            )
          }
          return (
            <>
              <Text size="sm" c="dimmed" role="status">
                {query.hasNextPage ? messages.foundMore(pairs.length) : messages.found(pairs.length)}
              </Text>
              <Stack component="ul" className="plain-list" m={0} p={0} gap="sm">
                {pairs.map((pair) => (
                  <Pair key={pair.id} pair={pair} />
                ))}
              </Stack>
              {query.hasNextPage && (
                <Group justify="center">
                  <MoreButton query={query} />
                </Group>
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function Pair({ pair }: { pair: ContactDuplicate }) {
  const messages = useMessages(duplicateMessages)
  const [one, other] = pair.contacts
  if (one === undefined || other === undefined) return null
  return (
    <Paper component="li" withBorder p="md" aria-label={messages.pair(contactName(one), contactName(other))}>
      <div className="duplicate-contacts">
        <Person contact={one} />
        <Person contact={other} />
      </div>
      <Group gap="xs" mt="sm" justify="space-between">
        <Group gap={6}>
          <Text size="sm" c="dimmed" className="one-line">
            {messages.likely(percent(pair.confidence))}
          </Text>
          {pair.reasons.map((reason) => (
            <Badge key={reason} variant="default" fw={500} tt="none">
              {messages.reasons[reason]}
            </Badge>
          ))}
        </Group>
        <Actions pair={pair} one={one} other={other} />
      </Group>
    </Paper>
  )
}

function Person({ contact }: { contact: Contact }) {
  const messages = useMessages(duplicateMessages)
  const name = contactName(contact)
  return (
    <div className="duplicate-contact">
      <ContactRowLink contact={contact} className="cut" />
      {[contact.jobTitle, contact.email, contact.phone].map(
        (value) =>
          value !== null &&
          value !== name && (
            <Text key={value} size="sm" className="cut" dir="auto" title={value}>
              {value}
            </Text>
          ),
      )}
      <Text size="sm" c="dimmed">
        {messages.since} <RelativeTime at={contact.createdAt} />
      </Text>
    </div>
  )
}

/** The merge into the older contact, and the dismissal of the pair. */
function Actions({ pair, one, other }: { pair: ContactDuplicate; one: Contact; other: Contact }) {
  const messages = useMessages(duplicateMessages)
  const { client, organization } = useWorkspace()
  const mayWrite = useMay('contacts:write')
  const confirm = useConfirm()
  const dismiss = useChange(() => client.contacts.duplicates.dismiss(pair.id), {
    invalidates: () => [[organization.id, ...duplicatesKey]],
    done: messages.dismissed,
    notifyFailure: false,
  })
  const ask = async (): Promise<void> => {
    const question = {
      title: messages.confirm(contactName(one), contactName(other)),
      body: messages.confirmHelp,
      action: messages.dismiss,
      isDestructive: false,
    }
    if (await confirm(question)) dismiss.mutate(undefined, { onError: (error) => notifyError(shownError(error, 'change')) })
  }
  if (!mayWrite) return null
  return (
    <Group gap="xs">
      <Button variant="default" loading={dismiss.isPending} onClick={() => void ask()}>
        {messages.dismiss}
      </Button>
      <Button
        renderRoot={(props) => (
          <Link
            {...props}
            to="/$organization/contacts/$contactId/merge"
            params={{ organization: organization.slug, contactId: one.id }}
            search={{ other: other.id }}
          />
        )}
      >
        {messages.merge}
      </Button>
    </Group>
  )
}
