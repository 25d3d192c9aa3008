import type { Contact, ContactChange } from '@groundwork/api'
import { ActionIcon, Box, Button, Group, Modal, Stack, Text, Tooltip } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { contactQuery } from '../lib/contact.ts'
import { worded } from '../lib/errors.ts'
import { exactTime } from '../lib/formats.ts'
import { rowsOf } from '../lib/pages.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import { notifyError } from '../shell/notify.tsx'
import { MoreButton } from '../shell/more-button.tsx'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { useMayEdit } from '../shell/record-gone.tsx'
import { FieldChangesContext } from './field-changes.ts'
import { filteredKey, historyKey, timelineKey } from './keys.ts'
import { historyQuery } from './queries.ts'
import { showContact } from './shown.ts'
import { useValueText } from './value-text.ts'
import { contactMessages } from './messages.ts'

interface FieldOriginProps {
  contact: Contact
  /** The name of the field in the history. */
  field: string
  /** The label of the field. */
  name: string
}

/** A button that tells on hover and focus who gave a field its value, when and how, and opens the history of the field. */
export function FieldOrigin({ contact, field, name }: FieldOriginProps) {
  const { history: messages } = useMessages(contactMessages)
  const [opened, setOpened] = useState(false)
  const change = use(FieldChangesContext).get(field)
  if (change === undefined) return null
  const origin = messages.origins[change.how](change.createdBy.name ?? messages.unknown, exactTime(change.createdAt))
  return (
    <>
      <Tooltip label={origin} events={{ hover: true, focus: true, touch: true }} multiline maw={280}>
        <ActionIcon
          className="field-origin"
          size={36}
          variant="subtle"
          color="gray"
          aria-label={messages.open(name, origin)}
          onClick={() => setOpened(true)}
        >
          <IconHistory size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {opened && <FieldHistory contact={contact} field={field} name={name} onClose={() => setOpened(false)} />}
    </>
  )
}

function FieldHistory({ contact, field, name, onClose }: FieldOriginProps & { onClose: () => void }) {
  const { history: messages } = useMessages(contactMessages)
  const { close } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const query = useInfiniteQuery(historyQuery(workspace, contact.id, field))
  return (
    <Modal opened onClose={onClose} title={messages.title(name)} size="lg" closeButtonProps={{ 'aria-label': close }}>
      <Stack>
        <Loaded query={query} skeleton={<SkeletonRows rows={3} />}>
          {(data) => (
            <Stack component="ol" gap="sm" m={0} p={0} className="plain-list">
              {rowsOf(data).map((change) => (
                <Change key={change.id} change={change} field={field} />
              ))}
            </Stack>
          )}
        </Loaded>
        <MoreButton query={query} className="at-start" />
        <Actions contact={contact} field={field} onDone={onClose} />
      </Stack>
    </Modal>
  )
}

function Change({ change, field }: { change: ContactChange; field: string }) {
  const { history: messages, empty } = useMessages(contactMessages)
  const found = change.changes.find((each) => each.field === field)
  const ids = field === 'companyId' ? [found?.from, found?.to].filter((id) => typeof id === 'string') : []
  const textOf = useValueText(ids)
  const shown = (value: unknown): string => textOf(field, value) || empty
  return (
    <Box component="li" className="wrap">
      {found !== undefined && <Text>{messages.change(shown(found.from), shown(found.to))}</Text>}
      <Text size="sm" c="dimmed">
        {messages.origins[change.how](change.createdBy.name ?? messages.unknown, exactTime(change.createdAt))}
        {change.reference !== null && change.how === 'heard' && ` ${messages.reference(change.reference)}`}
      </Text>
    </Box>
  )
}

function Actions({ contact, field, onDone }: { contact: Contact; field: string; onDone: () => void }) {
  const { history: messages } = useMessages(contactMessages)
  const mayWrite = useMayEdit('contacts:write')
  const workspace = useWorkspace()
  const { client, organization } = workspace
  const queries = useQueryClient()
  const body = { fields: [field] }
  const invalidates = () => [filteredKey, timelineKey(contact.id), historyKey(contact.id)].map((key) => [organization.id, ...key])
  const verify = useChange(() => client.contacts.verify(contact.id, body), { invalidates, done: messages.verified, onDone })
  const revert = useChange(() => client.contacts.revert(contact.id, body), {
    invalidates,
    done: messages.reverted,
    notifyFailure: false,
    onDone(changed) {
      queries.setQueryData(contactQuery(workspace, contact.id).queryKey, changed)
      showContact({ queries, organizationId: organization.id }, changed)
      onDone()
    },
  })
  if (!mayWrite) return null
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>
        {messages.verify}
      </Button>
      <Button
        loading={revert.isPending}
        onClick={() =>
          revert.mutate(undefined, {
            onError: (error) => notifyError(worded(error, { conflict: messages.notReverted })),
          })
        }
      >
        {messages.revert}
      </Button>
    </Group>
  )
}
