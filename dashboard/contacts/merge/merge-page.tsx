import './merge.css'
import type { Contact } from '@groundwork/api'
import { ConflictError, ValidationError } from '@groundwork/sdk'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useState } from 'react'
import { contactKey, contactName, contactQuery } from '../../lib/contact.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import { ContactPicker } from '../../shell/contact-picker.tsx'
import { LoadedPage } from '../../shell/loaded-page.tsx'
import { Page } from '../../shell/page.tsx'
import { DrawnLater, Loaded, SkeletonRows } from '../../shell/states.tsx'
import { contactsLabel } from '../messages.ts'
import { filteredKey } from '../keys.ts'
import { hideContact, showContact } from '../shown.ts'
import { Comparison } from './comparison.tsx'
import { MergeResult } from './merge-result.tsx'
import { mergeMessages } from './messages.ts'

const route = getRouteApi('/$organization/contacts/$contactId/merge')

/** Merges another contact into the one in the path. The URL has the other contact. */
export function MergePage() {
  const messages = useMessages(mergeMessages)
  const contacts = useMessages(contactsLabel)
  const workspace = useWorkspace()
  const { contactId } = route.useParams()
  const { other = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(contactQuery(workspace, contactId))
  const chosen = useQuery({ ...contactQuery(workspace, other), enabled: other !== '' })
  return (
    <LoadedPage query={query} title={messages.title} crumbs={[{ label: contacts, to: '/$organization/contacts' }]}>
      {(contact) => (
        <Page
          guide="duplicates"
          title={messages.title}
          description={messages.about(contactName(contact))}
          crumbs={[
            { label: contacts, to: '/$organization/contacts' },
            { label: contactName(contact), to: '/$organization/contacts/$contactId', params: { contactId } },
          ]}
        >
          <ContactPicker
            label={messages.picker}
            value={other}
            except={contact.id}
            onChange={(id) => void navigate({ search: id === '' ? {} : { other: id }, replace: true })}
          />
          {other !== '' && (
            <Loaded query={chosen} skeleton={<SkeletonRows />}>
              {(found) =>
                found.id === contact.id ? (
                  <Text role="alert">{messages.changed}</Text>
                ) : (
                  <DrawnLater key={found.id} skeleton={<SkeletonRows />}>
                    <Merge contact={contact} other={found} />
                  </DrawnLater>
                )
              }
            </Loaded>
          )}
        </Page>
      )}
    </LoadedPage>
  )
}

function Merge({ contact, other }: { contact: Contact; other: Contact }) {
  const messages = useMessages(mergeMessages)
  const { client, organization } = useWorkspace()
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const confirm = useConfirm()
  /** For a field, the id of the contact whose value stays. */
  const [fields, setFields] = useState<Record<string, string>>({})
  const preview = useQuery({
    queryKey: [organization.id, 'contacts', contact.id, 'merge', other.id, contact.updatedAt, other.updatedAt, fields],
    queryFn: () => client.contacts.merge(contact.id, { otherIds: [other.id], fields, dryRun: true }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const choose = useCallback((field: string, id: string): void => setFields((before) => ({ ...before, [field]: id })), [])
  // Drawn in short tasks, between which the browser handles input.
  const result = useDeferredValue(preview.data)
  const [name, otherName] = [contactName(contact), contactName(other)]
  const merge = useChange(() => client.contacts.merge(contact.id, { otherIds: [other.id], fields }), {
    invalidates: () => [filteredKey, contactKey(contact.id), ['contacts', contact.id]].map((key) => [organization.id, ...key]),
    done: messages.done(otherName, name),
    refusals: { conflict: messages.changed },
    onDone: ({ contact: merged }) => {
      const shown = { queries, organizationId: organization.id }
      hideContact(shown, other.id)
      showContact(shown, merged)
      void navigate({ to: '/$organization/contacts/$contactId', params: { organization: organization.slug, contactId: contact.id } })
    },
  })
  const ask = async (): Promise<void> => {
    const question = { title: messages.action, body: messages.confirm(otherName, name), action: messages.action }
    if (await confirm(question)) merge.mutate()
  }
  return (
    <Stack gap="lg">
      <Comparison contact={contact} other={other} result={result?.contact} chosen={fields} onChoose={choose} />
      {preview.error instanceof ConflictError || preview.error instanceof ValidationError ? (
        <Alert color="red" role="alert">
          {messages.changed}
        </Alert>
      ) : (
        <Loaded query={preview} skeleton={<SkeletonRows rows={3} />}>
          {(data) => <MergeResult result={data} busy={preview.isPlaceholderData} />}
        </Loaded>
      )}
      <Group justify="flex-end">
        <Button disabled={preview.data === undefined || preview.error !== null} loading={merge.isPending} onClick={() => void ask()}>
          {messages.action}
        </Button>
      </Group>
    </Stack>
  )
}
