import '@mantine/core/styles/Switch.css'
import '../shell/fields.css'
import type { Contact } from '@groundwork/api'
import { Button, Group, Paper, Stack, Switch, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { contactKey } from '../lib/contact.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { useMayEdit } from '../shell/record-gone.tsx'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { ConsentEvidence, ConsentHistory } from './consent-history.tsx'
import { ConsentInputs } from './consent-inputs.tsx'
import { channels, consentBody, newConsent, type ConsentValues } from './consent-values.ts'
import { consentKey, timelineKey } from './keys.ts'
import { consentQuery } from './queries.ts'
import { showContact } from './shown.ts'
import { contactMessages } from './messages.ts'

/** The number of lines of a wording. The history shows all of it. */
const maxWordingLines = 3

/** Shows the consent of a contact for each channel with its time, source and wording, opens its history, and records changes. */
export function ConsentOfContact({ contact }: { contact: Contact }) {
  const { consent: messages } = useMessages(contactMessages)
  const mayWrite = useMayEdit('contacts:write')
  const [opened, setOpened] = useState<'record' | 'history'>()
  const workspace = useWorkspace()
  const { client, organization } = workspace
  const flag = useChange((doNotContact: boolean) => client.contacts.update(contact.id, { doNotContact }), {
    invalidates: () => [contactKey(contact.id), timelineKey(contact.id)].map((key) => [organization.id, ...key]),
  })
  const query = useQuery(consentQuery(workspace, contact.id))
  if (contact.consent === null) return null
  const { consent } = contact
  const close = (): void => setOpened(undefined)
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.title}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{messages.title}</Title>
        <Group gap="xs">
          <Button variant="default" size="sm" aria-label={messages.history} onClick={() => setOpened('history')}>
            {messages.openHistory}
          </Button>
          {mayWrite && (
            <Button variant="default" size="sm" onClick={() => setOpened('record')}>
              {messages.record}
            </Button>
          )}
        </Group>
      </Group>
      <Loaded query={query} skeleton={<SkeletonRows rows={channels.length} height={24} />}>
        {(present) => (
          <Stack component="dl" gap={4} m={0}>
            {channels.map((channel) => (
              <div key={channel} className="field-line">
                <Text component="dt" size="sm" c="dimmed">
                  {messages.channels[channel]}
                </Text>
                <Stack component="dd" m={0} gap={0} py={6}>
                  <Text {...(consent[channel] === 'denied' && { c: 'red', fw: 600 })}>{messages.states[consent[channel]]}</Text>
                  {present[channel] !== null && <ConsentEvidence change={present[channel]} maxLines={maxWordingLines} />}
                </Stack>
              </div>
            ))}
          </Stack>
        )}
      </Loaded>
      <Switch
        mt="sm"
        label={messages.doNotContact}
        description={messages.doNotContactHelp}
        checked={flag.isPending ? flag.variables : contact.doNotContact}
        disabled={!mayWrite}
        onChange={(event) => flag.mutate(event.currentTarget.checked)}
      />
      {opened === 'record' && <RecordConsent contact={contact} onClose={close} />}
      {opened === 'history' && <ConsentHistory contact={contact} onClose={close} />}
    </Paper>
  )
}

function RecordConsent({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { consent: messages } = useMessages(contactMessages)
  const { client, organization } = useWorkspace()
  const queries = useQueryClient()
  const form = useForm(newConsent)
  const change = useChange((values: ConsentValues) => client.contacts.consent.create(contact.id, consentBody(values)), {
    invalidates: () => [contactKey(contact.id), timelineKey(contact.id), consentKey(contact.id)].map((key) => [organization.id, ...key]),
    done: messages.recorded,
    notifyFailure: false,
    onDone: (changed) => {
      showContact({ queries, organizationId: organization.id }, changed)
      onClose()
    },
  })
  return (
    <FormDialog
      title={messages.record}
      onClose={onClose}
      {...sentBy(form, change)}
      action={messages.save}
      fields={['at', 'source', 'wording']}
    >
      <ConsentInputs values={form.values} set={form.set} errorOf={form.errorOf} />
    </FormDialog>
  )
}
