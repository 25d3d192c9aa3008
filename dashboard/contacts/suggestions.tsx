import type { ContactSuggestion } from '@groundwork/api'
import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { contactKey } from '../lib/contact.ts'
import { rowsOf } from '../lib/pages.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import { RelativeTime } from '../shell/relative-time.tsx'
import { useMayEdit } from '../shell/record-gone.tsx'
import { fieldLabel } from './field-label.ts'
import { suggestionsKey, timelineKey } from './keys.ts'
import { suggestionsQuery } from './queries.ts'
import { showContact } from './shown.ts'
import { contactMessages } from './messages.ts'

/** Shows the values that agents suggest; nothing without one. */
export function SuggestionsOfContact({ contactId }: { contactId: string }) {
  const { suggestions: messages } = useMessages(contactMessages)
  const { data } = useInfiniteQuery(suggestionsQuery(useWorkspace(), contactId))
  const suggestions = data === undefined ? [] : rowsOf(data)
  if (suggestions.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.title}>
      <Title order={2}>{messages.title}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {messages.help}
      </Text>
      <Stack gap="md">
        {suggestions.map((suggestion) => (
          <Suggestion key={suggestion.id} suggestion={suggestion} />
        ))}
      </Stack>
    </Paper>
  )
}

function Suggestion({ suggestion }: { suggestion: ContactSuggestion }) {
  const { suggestions: messages, fields } = useMessages(contactMessages)
  const mayWrite = useMayEdit('contacts:write')
  const { client, organization } = useWorkspace()
  const queries = useQueryClient()
  const { id, contactId, field, value, present, createdBy, createdAt } = suggestion
  const label = fieldLabel(field, fields)
  const invalidates = () =>
    [suggestionsKey(contactId), contactKey(contactId), timelineKey(contactId)].map((key) => [organization.id, ...key])
  const accept = useChange(() => client.contacts.suggestions.accept(contactId, id), {
    invalidates,
    done: messages.accepted,
    refusals: { conflict: messages.decided },
    onDone: (changed) => showContact({ queries, organizationId: organization.id }, changed),
  })
  const dismiss = useChange(() => client.contacts.suggestions.dismiss(contactId, id), {
    invalidates,
    done: messages.dismissed,
    refusals: { conflict: messages.decided },
  })
  const busy = accept.isPending || dismiss.isPending
  return (
    <Group justify="space-between" align="flex-start">
      <Box className="wrap" flex={1}>
        <Text>
          {label}: {textOf(value, messages.empty)}
        </Text>
        <Text size="sm" c="dimmed">
          {messages.instead(textOf(present, messages.empty))} · {createdBy.name} · <RelativeTime at={createdAt} />
        </Text>
      </Box>
      {mayWrite && (
        <Group gap="xs">
          <Button
            size="sm"
            variant="default"
            loading={accept.isPending}
            disabled={busy}
            aria-label={messages.acceptOf(label)}
            onClick={() => accept.mutate()}
          >
            {messages.accept}
          </Button>
          <Button
            size="sm"
            variant="subtle"
            loading={dismiss.isPending}
            disabled={busy}
            aria-label={messages.dismissOf(label)}
            onClick={() => dismiss.mutate()}
          >
            {messages.dismiss}
          </Button>
        </Group>
      )}
    </Group>
  )
}

/** Returns a value as text: of addresses and numbers, their values. */
function textOf(value: unknown, empty: string): string {
  if (value === null || value === undefined || value === '') return empty
  if (Array.isArray(value)) return value.map((each) => textOf(each, empty)).join(', ') || empty
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value)
  const parts = 'value' in value ? [value.value] : Object.values(value).filter((part) => part !== null)
  return parts.map((part) => textOf(part, empty)).join(', ')
}
