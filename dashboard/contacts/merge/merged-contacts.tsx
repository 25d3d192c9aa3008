import type { Contact, UnmergedContact } from '@groundwork/api'
import { Anchor, Box, Button, Group, List, Modal, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { contactName } from '../../lib/contact.ts'
import { customFieldsQuery } from '../../lib/custom-fields.ts'
import { worded } from '../../lib/errors.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import { notifyError } from '../../shell/notify.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { fieldLabel } from '../field-label.ts'
import { contactMessages } from '../messages.ts'
import { filteredKey } from '../keys.ts'
import { showContact } from '../shown.ts'
import { undoableMerges, type Merged } from './merges.ts'
import { mergeMessages } from './messages.ts'

/** Lists the contacts that were merged into this one and can be separated again. */
export function MergedContacts({ contact }: { contact: Contact }) {
  const messages = useMessages(mergeMessages)
  const { client, organization } = useWorkspace()
  const mayReadEvents = useMay('events:read')
  const { mergedIds } = contact
  const { data: entries = [], isLoading } = useQuery({
    queryKey: [organization.id, 'contacts', contact.id, 'merges', mergedIds],
    queryFn: async ({ signal }) => (await client.contacts.timeline.list(contact.id, { limit: 100 }, { signal }).page()).data,
    enabled: mayReadEvents && mergedIds !== null && mergedIds.length > 0,
  })
  const [undone, setUndone] = useState<UnmergedContact>()
  const merges = isLoading ? [] : undoableMerges(contact, entries, Date.now())
  return (
    <>
      {merges.length > 0 && (
        <Paper withBorder p="md" component="section" aria-label={messages.merged}>
          <Title order={2}>{messages.merged}</Title>
          <Text size="sm" c="dimmed" mb="sm">
            {messages.mergedHelp}
          </Text>
          <Stack gap="sm">
            {merges.map((merge) => (
              <MergedContact key={merge.id} contact={contact} merge={merge} onUndone={setUndone} />
            ))}
          </Stack>
        </Paper>
      )}
      {undone !== undefined && <Undone result={undone} onClose={() => setUndone(undefined)} />}
    </>
  )
}

function MergedContact({ contact, merge, onUndone }: { contact: Contact; merge: Merged; onUndone: (result: UnmergedContact) => void }) {
  const messages = useMessages(mergeMessages)
  const mayWrite = useMay('contacts:write')
  const { client, organization } = useWorkspace()
  const queries = useQueryClient()
  const confirm = useConfirm()
  const name = merge.name ?? messages.unnamed
  const undo = useChange(() => client.contacts.unmerge(contact.id, { mergedId: merge.id }), {
    invalidates: () => [
      [organization.id, ...filteredKey],
      [organization.id, 'contacts', contact.id],
      [organization.id, 'contacts', merge.id],
    ],
    notifyFailure: false,
    onDone: (result) => {
      const shown = { queries, organizationId: organization.id }
      showContact(shown, result.contact)
      showContact(shown, result.restored)
      onUndone(result)
    },
  })
  const ask = async (): Promise<void> => {
    if (await confirm({ title: messages.undo, body: messages.undoConfirm(name), action: messages.undo }))
      undo.mutate(undefined, {
        onError: (error) => notifyError(worded(error, { conflict: messages.notUndoneHelp, validation_error: messages.notUndoneHelp })),
      })
  }
  return (
    <Group justify="space-between" wrap="nowrap">
      <Box className="wrap" miw={0}>
        <Text>{name}</Text>
        {merge.mergedAt !== null && (
          <Text size="sm" c="dimmed">
            <RelativeTime at={merge.mergedAt} />
          </Text>
        )}
      </Box>
      {mayWrite && (
        <Button
          size="sm"
          variant="default"
          flex="none"
          loading={undo.isPending}
          aria-label={messages.undoOf(name)}
          onClick={() => void ask()}
        >
          {messages.undo}
        </Button>
      )}
    </Group>
  )
}

/** Says which contact is separate again, and what stays with the other one. */
function Undone({ result: { contact, restored, kept }, onClose }: { result: UnmergedContact; onClose: () => void }) {
  const messages = useMessages(mergeMessages)
  const { fields: labels } = useMessages(contactMessages)
  const { close } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const { data: customFields = [] } = useQuery(customFieldsQuery(workspace, 'contact'))
  const changed = kept.fields.map((field) => customFields.find(({ id }) => field.endsWith(id))?.name ?? fieldLabel(field, labels))
  const items = [
    ...(changed.length === 0 ? [] : [messages.kept.fields(changed.join(', '))]),
    ...(kept.activityIds.length === 0 ? [] : [messages.kept.activities(kept.activityIds.length)]),
    ...(kept.proposalIds.length === 0 ? [] : [messages.kept.proposals(kept.proposalIds.length)]),
    ...(kept.consentIds.length === 0 ? [] : [messages.kept.consents(kept.consentIds.length)]),
  ]
  return (
    <Modal opened onClose={onClose} title={messages.undone} closeButtonProps={{ 'aria-label': close }}>
      <Stack>
        <Text>{messages.restored(contactName(restored))}</Text>
        {items.length === 0 ? (
          <Text size="sm">{messages.keptNothing}</Text>
        ) : (
          <div>
            <Text size="sm">{messages.keptBy(contactName(contact))}</Text>
            <List size="sm">
              {items.map((item) => (
                <List.Item key={item}>{item}</List.Item>
              ))}
            </List>
          </div>
        )}
        <Group justify="space-between">
          <Anchor
            className="wrap"
            miw={0}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/$organization/contacts/$contactId"
                params={{ organization: workspace.organization.slug, contactId: restored.id }}
              />
            )}
            onClick={onClose}
          >
            {messages.openRestored(contactName(restored))}
          </Anchor>
          <Button onClick={onClose} data-autofocus>
            {close}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
