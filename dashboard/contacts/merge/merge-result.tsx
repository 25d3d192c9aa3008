import type { MergedContact } from '@groundwork/api'
import { List, Paper, Text, Title } from '@mantine/core'
import { contactName } from '../../lib/contact.ts'
import { useMessages } from '../../messages/messages.ts'
import { contactMessages } from '../messages.ts'
import { useValueText } from '../value-text.ts'
import { mergeMessages } from './messages.ts'

const channels = ['email', 'phone', 'sms', 'post'] as const

/** Shows the result of the dry run of a merge: the contact afterwards, the records that move, and the values that are left out. */
export function MergeResult({ result: { contact, moved, omitted }, busy }: { result: MergedContact; busy: boolean }) {
  const messages = useMessages(mergeMessages)
  const words = useMessages(contactMessages)
  const textOf = useValueText([])
  const { consent } = contact
  const facts = [
    [messages.fields.emails, textOf('emails', contact.emails)],
    [messages.fields.phones, textOf('phones', contact.phones)],
    [messages.fields.tags, textOf('tags', contact.tags)],
    ...(consent === null
      ? []
      : channels.map((channel) => [messages.consent(words.consent.channels[channel]), words.consent.states[consent[channel]]])),
    [messages.doNotContact, contact.doNotContact ? words.yes : ''],
  ].filter(([, text]) => text !== '' && text !== words.consent.states.unknown)
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.result} aria-busy={busy} aria-live="polite">
      <Title order={2}>{messages.result}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {messages.resultHelp}
      </Text>
      <Text fw={600} className="wrap">
        {contactName(contact)}
      </Text>
      <List size="sm" className="wrap">
        {facts.map(([label, text]) => (
          <List.Item key={label}>
            {label}: {text}
          </List.Item>
        ))}
        {moved.map(({ kind, count }) => (
          <List.Item key={kind}>{messages.moved[kind](count)}</List.Item>
        ))}
        {moved.length === 0 && <List.Item>{messages.nothingMoves}</List.Item>}
        {omitted.map(({ field, value }) => (
          <List.Item key={`${field} ${value}`}>{messages.omitted(messages.fields[field], value)}</List.Item>
        ))}
      </List>
    </Paper>
  )
}
