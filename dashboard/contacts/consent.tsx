import '@mantine/core/styles/Switch.css'
import '../shell/fields.css'
import type { Contact } from '@groundwork/api'
import { Button, Group, Paper, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { contactKey } from '../lib/contact.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { useMayEdit } from '../shell/record-gone.tsx'
import { timelineKey } from './keys.ts'
import { showContact } from './shown.ts'
import { contactMessages } from './messages.ts'

const channels = ['email', 'phone', 'sms', 'post'] as const
const states = ['granted', 'denied', 'unknown'] as const

/** Shows the consent of a contact for each channel, and records changes. */
export function ConsentOfContact({ contact }: { contact: Contact }) {
  const { consent: messages } = useMessages(contactMessages)
  const mayWrite = useMayEdit('contacts:write')
  const [recording, setRecording] = useState(false)
  const { client, organization } = useWorkspace()
  const flag = useChange((doNotContact: boolean) => client.contacts.update(contact.id, { doNotContact }), {
    invalidates: () => [contactKey(contact.id), timelineKey(contact.id)].map((key) => [organization.id, ...key]),
  })
  if (contact.consent === null) return null
  const { consent } = contact
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.title}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{messages.title}</Title>
        {mayWrite && (
          <Button variant="default" size="sm" onClick={() => setRecording(true)}>
            {messages.record}
          </Button>
        )}
      </Group>
      <Stack component="dl" gap={4} m={0}>
        {channels.map((channel) => (
          <div key={channel} className="field-line">
            <Text component="dt" size="sm" c="dimmed">
              {messages.channels[channel]}
            </Text>
            <Text component="dd" m={0} {...(consent[channel] === 'denied' && { c: 'red', fw: 600 })}>
              {messages.states[consent[channel]]}
            </Text>
          </div>
        ))}
      </Stack>
      <Switch
        mt="sm"
        label={messages.doNotContact}
        description={messages.doNotContactHelp}
        checked={flag.isPending ? flag.variables : contact.doNotContact}
        disabled={!mayWrite}
        onChange={(event) => flag.mutate(event.currentTarget.checked)}
      />
      {recording && <RecordConsent contact={contact} onClose={() => setRecording(false)} />}
    </Paper>
  )
}

function RecordConsent({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { consent: messages } = useMessages(contactMessages)
  const { client, organization } = useWorkspace()
  const queries = useQueryClient()
  const form = useForm({ channel: 'email', state: 'granted', source: '', wording: '' })
  const change = useChange(
    ({ channel, state, source, wording }: typeof form.values) =>
      client.contacts.consent.create(contact.id, {
        channel: channels.find((each) => each === channel) ?? 'email',
        state: states.find((each) => each === state) ?? 'unknown',
        ...(source.trim() !== '' && { source }),
        ...(wording.trim() !== '' && { wording }),
      }),
    {
      invalidates: () => [contactKey(contact.id), timelineKey(contact.id)].map((key) => [organization.id, ...key]),
      done: messages.recorded,
      notifyFailure: false,
      onDone: (changed) => {
        showContact({ queries, organizationId: organization.id }, changed)
        onClose()
      },
    },
  )
  return (
    <FormDialog title={messages.record} onClose={onClose} {...sentBy(form, change)} action={messages.save} fields={['source', 'wording']}>
      <Select
        label={messages.channel}
        data={channels.map((value) => ({ value, label: messages.channels[value] }))}
        value={form.values.channel}
        onChange={(value) => form.set('channel', value ?? 'email')}
        allowDeselect={false}
      />
      <Select
        label={messages.state}
        data={states.map((value) => ({ value, label: messages.states[value] }))}
        value={form.values.state}
        onChange={(value) => form.set('state', value ?? 'unknown')}
        allowDeselect={false}
      />
      <TextInput label={messages.source} description={messages.sourceHelp} maxLength={200} {...form.text('source')} />
      <TextInput label={messages.wording} description={messages.wordingHelp} maxLength={5000} {...form.text('wording')} />
    </FormDialog>
  )
}
