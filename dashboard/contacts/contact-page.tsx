import type { Contact } from '@groundwork/api'
import type { Groundwork } from '@groundwork/sdk'
import { Button, Grid, Group, Stack } from '@mantine/core'
import { IconArrowMerge, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { contactKey, contactName, contactQuery } from '../lib/contact.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { ProposalsOfContact } from '../proposals/of-contact.tsx'
import { proposalsQuery } from '../proposals/queries.ts'
import { useConfirm } from '../shell/confirm.tsx'
import { useChange } from '../shell/change.ts'
import { LoadedPage } from '../shell/loaded-page.tsx'
import { notifyUndoable } from '../shell/notify.tsx'
import { Page } from '../shell/page.tsx'
import { SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { ActivitiesOfContact } from './activities.tsx'
import { ConsentOfContact } from './consent.tsx'
import { deletedMessages } from './deleted/messages.ts'
import { Details } from './details.tsx'
import { DownloadContact } from './download-contact.tsx'
import { EraseContact } from './erase-contact.tsx'
import { MergedContacts } from './merge/merged-contacts.tsx'
import { mergeMessages } from './merge/messages.ts'
import { filteredKey } from './keys.ts'
import { activitiesQuery, suggestionsQuery } from './queries.ts'
import { hideContact, showContact } from './shown.ts'
import { SuggestionsOfContact } from './suggestions.tsx'
import { ContactTimeline } from './timeline.tsx'
import { contactMessages } from './messages.ts'

const route = getRouteApi('/$organization/contacts/$contactId')

export function ContactPage() {
  const messages = useMessages(contactMessages)
  const { contactId } = route.useParams()
  const query = useQuery(contactQuery(useWorkspace(), contactId))
  const crumbs = [{ label: messages.title, to: '/$organization/contacts' }] as const
  const mayWrite = useMay('contacts:write')
  return (
    <LoadedPage
      query={query}
      title={messages.title}
      crumbs={crumbs}
      restore={mayWrite && query.data !== undefined && <RestoreContact contact={query.data} />}
    >
      {(contact) => (
        <Page
          guide="contacts"
          title={contactName(contact)}
          crumbs={crumbs}
          actions={
            <Group gap="xs">
              {mayWrite && <MergeLink contactId={contactId} />}
              {mayWrite && <DeleteContact contact={contact} />}
              <DownloadContact contact={contact} />
              {mayWrite && <EraseContact contact={contact} />}
            </Group>
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
              <Records contact={contact} />
            </Grid.Col>
          </Grid>
        </Page>
      )}
    </LoadedPage>
  )
}

/** The records of a contact. They are drawn together, because one that is drawn later would move those below it. */
function Records({ contact }: { contact: Contact }) {
  const workspace = useWorkspace()
  const contactId = contact.id
  const mayReadEvents = useMay('events:read')
  const mayReadProposals = useMay('proposals:read')
  const suggestions = useInfiniteQuery(suggestionsQuery(workspace, contactId))
  const activities = useInfiniteQuery(activitiesQuery(workspace, contactId))
  const proposals = useInfiniteQuery({ ...proposalsQuery(workspace, { contactId }), enabled: mayReadProposals })
  const isLoading = suggestions.isLoading || activities.isLoading || proposals.isLoading
  // React draws the records in short tasks.
  if (useDeferredValue(isLoading) || isLoading) return <SkeletonRows rows={8} />
  return (
    <Stack gap="xl">
      <SuggestionsOfContact contactId={contactId} />
      <MergedContacts contact={contact} />
      <ActivitiesOfContact contactId={contactId} />
      {mayReadProposals && <ProposalsOfContact contactId={contactId} />}
      {mayReadEvents && <ContactTimeline contactId={contactId} />}
    </Stack>
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

function useRestore(contact: Contact) {
  const messages = useMessages(contactMessages)
  const { client, organization } = useWorkspace()
  const queries = useQueryClient()
  return useChange(() => client.contacts.restore(contact.id), {
    invalidates: () => [
      [organization.id, ...filteredKey],
      [organization.id, ...contactKey(contact.id)],
    ],
    done: messages.restored(contactName(contact)),
    refusals: { conflict: messages.notRestored },
    onDone: (restored) => showContact({ queries, organizationId: organization.id }, restored),
  })
}

/** Brings a contact back that was deleted while its page is open. */
function RestoreContact({ contact }: { contact: Contact }) {
  const { restore: label } = useMessages(deletedMessages)
  const restore = useRestore(contact)
  return (
    <Button size="sm" variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
      {label}
    </Button>
  )
}

function DeleteContact({ contact }: { contact: Contact }) {
  const messages = useMessages(contactMessages)
  const { client, organization } = useWorkspace()
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const shown = { queries, organizationId: organization.id }
  const restore = useRestore(contact)
  const remove = useChange(() => client.contacts.delete(contact.id), {
    invalidates: () => [[organization.id, ...filteredKey]],
    onDone: () => {
      hideContact(shown, contact.id)
      notifyUndoable(messages.deleted(contactName(contact)), () => restore.mutate())
      void navigate({ to: '/$organization/contacts', params: { organization: organization.slug } })
    },
  })
  const confirm = useConfirm()
  const mayReadProposals = useMay('proposals:read')
  const [isCounting, setCounting] = useState(false)
  /** Deleting can be undone, but not that it voids open proposals. */
  const ask = async (): Promise<void> => {
    setCounting(true)
    const open = mayReadProposals ? await openProposals(client, contact.id) : 0
    const question = { title: messages.voidsTitle(contactName(contact)), body: messages.voidsHelp(open), action: messages.delete }
    setCounting(false)
    if (open === 0 || (await confirm(question))) remove.mutate()
  }
  return (
    <Button
      variant="default"
      leftSection={<IconTrash size={16} aria-hidden />}
      loading={isCounting || remove.isPending}
      onClick={() => void ask()}
    >
      {messages.delete}
    </Button>
  )
}

/** Returns the number of proposals to the contact that wait for an answer, at most 100. If they cannot be read, none. */
const openProposals = (client: Groundwork, contactId: string): Promise<number> =>
  client.proposals
    .list({ contactId, status: 'pending', limit: 100 })
    .page()
    .then(
      ({ data }) => data.length,
      () => 0,
    )
