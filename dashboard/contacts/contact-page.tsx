import type { Contact } from '@groundwork/api'
import { Box, Button, Grid, Paper, Stack, Text, Title } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { contactName, contactQuery } from '../lib/contact.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { ProposalsOfContact } from '../proposals/of-contact.tsx'
import { useChange } from '../shell/change.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { LoadedPage } from '../shell/loaded-page.tsx'
import { tellUndoable } from '../shell/notify.tsx'
import { Page } from '../shell/page.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { useWords } from '../words/words.ts'
import { filteredKey } from './queries.ts'
import { hideContact, showContact } from './shown.ts'
import { TagsOf } from './tags-input.tsx'
import { TextFieldOf } from './text-field.tsx'
import { ContactTimeline } from './timeline.tsx'
import { contactWords } from './words.ts'

const route = getRouteApi('/$organization/contacts/$contactId')

export function ContactPage() {
  const words = useWords(contactWords)
  const { contactId } = route.useParams()
  const query = useQuery(contactQuery(useWorkspace(), contactId))
  const crumbs = [{ label: words.title, to: '/$organization/contacts' }] as const
  const mayWrite = useMay('contacts:write')
  const mayReadEvents = useMay('events:read')
  const mayReadProposals = useMay('proposals:read')
  return (
    <LoadedPage query={query} title={words.title} crumbs={crumbs}>
      {(contact) => (
        <Page title={contactName(contact)} crumbs={crumbs} actions={mayWrite && <DeleteContact contact={contact} />}>
          <Grid gap="xl">
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Details contact={contact} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Stack gap="xl">
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

function Details({ contact }: { contact: Contact }) {
  const words = useWords(contactWords)
  return (
    <Paper withBorder p="md" component="section" aria-label={words.details}>
      <Title order={2} mb="sm">
        {words.details}
      </Title>
      <Stack component="dl" gap={4} m={0}>
        <Line name={words.fields.firstName}>
          <TextFieldOf contact={contact} field="firstName" />
        </Line>
        <Line name={words.fields.lastName}>
          <TextFieldOf contact={contact} field="lastName" />
        </Line>
        <Line name={words.fields.email}>
          <TextFieldOf contact={contact} field="email" type="email" />
        </Line>
        <Line name={words.fields.phone}>
          <TextFieldOf contact={contact} field="phone" type="tel" />
        </Line>
        <Line name={words.fields.tags}>
          <TagsOf contact={contact} />
        </Line>
        <Line name={words.fields.source}>
          <TextFieldOf contact={contact} field="source" />
        </Line>
        <Line name={words.fields.externalId}>
          <TextFieldOf contact={contact} field="externalId" />
        </Line>
        {Object.entries(contact.customFields).map(([name, value]) => (
          <Line key={name} name={name}>
            <Text className="field-read wrap">{typeof value === 'string' ? value : JSON.stringify(value)}</Text>
          </Line>
        ))}
        <Line name={words.createdAt}>
          <Text className="field-read">
            <RelativeTime at={contact.createdAt} />
          </Text>
        </Line>
        <Line name={words.updatedAt}>
          <Text className="field-read">
            <RelativeTime at={contact.updatedAt} />
          </Text>
        </Line>
        <Line name={words.id}>
          <Text size="sm" ff="monospace" className="field-read wrap" component="span">
            {contact.id}
          </Text>
          <CopyButton value={contact.id} name={words.id} />
        </Line>
      </Stack>
    </Paper>
  )
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
  const words = useWords(contactWords)
  const { client, organization } = useWorkspace()
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const shown = { queries, organizationId: organization.id }
  const invalidates = (): (readonly string[])[] => [[organization.id, ...filteredKey]]
  const restore = useChange(() => client.contacts.restore(contact.id), {
    invalidates,
    done: words.restored(contactName(contact)),
    onDone: (restored) => showContact(shown, restored),
  })
  const remove = useChange(() => client.contacts.delete(contact.id), {
    invalidates,
    onDone: () => {
      hideContact(shown, contact.id)
      tellUndoable(words.deleted(contactName(contact)), () => restore.mutate())
      void navigate({ to: '/$organization/contacts', params: { organization: organization.slug } })
    },
  })
  return (
    <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} loading={remove.isPending} onClick={() => remove.mutate()}>
      {words.delete}
    </Button>
  )
}
