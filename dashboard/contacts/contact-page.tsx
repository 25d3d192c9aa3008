import type { Contact } from '@groundwork/api'
import { Box, Button, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconArrowMerge, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { contactName, contactQuery } from '../lib/contact.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { ProposalsOfContact } from '../proposals/of-contact.tsx'
import { useChange } from '../shell/change.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { LoadedPage } from '../shell/loaded-page.tsx'
import { notifyUndoable } from '../shell/notify.tsx'
import { Page } from '../shell/page.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { useMessages } from '../messages/messages.ts'
import { ActivitiesOfContact } from './activities.tsx'
import { ConsentOfContact } from './consent.tsx'
import { EraseContact } from './erase-contact.tsx'
import { MergedContacts } from './merge/merged-contacts.tsx'
import { mergeMessages } from './merge/messages.ts'
import { filteredKey } from './queries.ts'
import { hideContact, showContact } from './shown.ts'
import { SuggestionsOfContact } from './suggestions.tsx'
import { TagsOf } from './tags-input.tsx'
import { TextFieldOf } from './text-field.tsx'
import { ContactTimeline } from './timeline.tsx'
import { contactMessages } from './messages.ts'

const route = getRouteApi('/$organization/contacts/$contactId')

export function ContactPage() {
  const messages = useMessages(contactMessages)
  const { contactId } = route.useParams()
  const query = useQuery(contactQuery(useWorkspace(), contactId))
  const crumbs = [{ label: messages.title, to: '/$organization/contacts' }] as const
  const mayWrite = useMay('contacts:write')
  const mayReadEvents = useMay('events:read')
  const mayReadProposals = useMay('proposals:read')
  return (
    <LoadedPage query={query} title={messages.title} crumbs={crumbs}>
      {(contact) => (
        <Page
          title={contactName(contact)}
          crumbs={crumbs}
          actions={
            mayWrite && (
              <Group gap="xs">
                <MergeLink contactId={contactId} />
                <DeleteContact contact={contact} />
                <EraseContact contact={contact} />
              </Group>
            )
          }
        >
          <Grid gap="xl">
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Stack gap="xl">
                <Details contact={contact} />
                <ConsentOfContact contact={contact} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Stack gap="xl">
                <SuggestionsOfContact contactId={contactId} />
                <MergedContacts contact={contact} />
                <ActivitiesOfContact contactId={contactId} />
                {mayReadProposals && <ProposalsOfContact contactId={contactId} />}
                {mayReadEvents && <ContactTimeline contactId={contactId} />}
              </Stack>
            </Grid.Col>
          </Grid>
        </Page>
      )}
    </LoadedPage>
  )
}

function MergeLink({ contactId }: { contactId: string }) {
  const { organization } = useWorkspace()
  const { open } = useMessages(mergeMessages)
  return (
    <Button
      variant="default"
      leftSection={<IconArrowMerge size={16} aria-hidden />}
      renderRoot={(props) => (
        <Link {...props} to="/$organization/contacts/$contactId/merge" params={{ organization: organization.slug, contactId }} />
      )}
    >
      {open}
    </Button>
  )
}

function Details({ contact }: { contact: Contact }) {
  const messages = useMessages(contactMessages)
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.details}>
      <Title order={2} mb="sm">
        {messages.details}
      </Title>
      <Stack component="dl" gap={4} m={0}>
        <Line name={messages.fields.firstName}>
          <TextFieldOf contact={contact} field="firstName" />
        </Line>
        <Line name={messages.fields.lastName}>
          <TextFieldOf contact={contact} field="lastName" />
        </Line>
        <Line name={messages.fields.jobTitle}>
          <TextFieldOf contact={contact} field="jobTitle" />
        </Line>
        <Line name={messages.fields.email}>
          <TextFieldOf contact={contact} field="email" type="email" />
          <Further entries={contact.emails} />
        </Line>
        <Line name={messages.fields.phone}>
          <TextFieldOf contact={contact} field="phone" type="tel" />
          <Further entries={contact.phones} />
        </Line>
        <Line name={messages.fields.tags}>
          <TagsOf contact={contact} />
        </Line>
        <Line name={messages.fields.source}>
          <TextFieldOf contact={contact} field="source" />
        </Line>
        <Line name={messages.fields.externalId}>
          <TextFieldOf contact={contact} field="externalId" />
        </Line>
        {Object.entries(contact.customFields).map(([name, value]) => (
          <Line key={name} name={name}>
            <Text className="field-read wrap">{typeof value === 'string' ? value : JSON.stringify(value)}</Text>
          </Line>
        ))}
        {contact.lastInteractionAt !== null && (
          <Line name={messages.lastInteractionAt}>
            <Text className="field-read">
              <RelativeTime at={contact.lastInteractionAt} />
            </Text>
          </Line>
        )}
        <Line name={messages.createdAt}>
          <Text className="field-read">
            <RelativeTime at={contact.createdAt} />
          </Text>
        </Line>
        <Line name={messages.updatedAt}>
          <Text className="field-read">
            <RelativeTime at={contact.updatedAt} />
          </Text>
        </Line>
        <Line name={messages.id}>
          <Text size="sm" ff="monospace" className="field-read wrap" component="span">
            {contact.id}
          </Text>
          <CopyButton value={contact.id} name={messages.id} />
        </Line>
      </Stack>
    </Paper>
  )
}

/** Shows the e-mail addresses or phone numbers after the main one. */
function Further({ entries }: { entries: readonly { value: string; label: string | null }[] }) {
  return entries.slice(1).map(({ value, label }) => (
    <Text key={value} size="sm" className="field-read wrap">
      {label === null ? value : `${value} (${label})`}
    </Text>
  ))
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="field-line">
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Box component="dd" m={0} className="field-cell">
        {children}
      </Box>
    </div>
  )
}

function DeleteContact({ contact }: { contact: Contact }) {
  const messages = useMessages(contactMessages)
  const { client, organization } = useWorkspace()
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const shown = { queries, organizationId: organization.id }
  const invalidates = (): (readonly string[])[] => [[organization.id, ...filteredKey]]
  const restore = useChange(() => client.contacts.restore(contact.id), {
    invalidates,
    done: messages.restored(contactName(contact)),
    onDone: (restored) => showContact(shown, restored),
  })
  const remove = useChange(() => client.contacts.delete(contact.id), {
    invalidates,
    onDone: () => {
      hideContact(shown, contact.id)
      notifyUndoable(messages.deleted(contactName(contact)), () => restore.mutate())
      void navigate({ to: '/$organization/contacts', params: { organization: organization.slug } })
    },
  })
  return (
    <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} loading={remove.isPending} onClick={() => remove.mutate()}>
      {messages.delete}
    </Button>
  )
}
