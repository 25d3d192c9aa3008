import '@mantine/core/styles/Accordion.css'
import type { Mail } from '@groundwork/api'
import { Accordion, Badge, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { rowsOf } from '../../lib/pages.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { CopyableCode } from '../../shell/copyable-code.tsx'
import { RawError } from '../../shell/raw-error.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { MoreButton } from '../../shell/more-button.tsx'
import { Loaded, SkeletonRows } from '../../shell/states.tsx'
import { useMessages } from '../../messages/messages.ts'
import { mailsQuery } from './queries.ts'
import type { System } from './record.ts'
import { systemMessages } from './messages.ts'

const stateColors = { queued: 'blue', sent: 'green', failed: 'red', withheld: 'orange' } as const

/** Lists messages with their states, and their texts if no mail server is configured. */
export function Mails({ kind }: { kind: System['mail']['kind'] }) {
  const messages = useMessages(systemMessages)
  const query = useInfiniteQuery(mailsQuery(useWorkspace()))
  return (
    <Stack component="section">
      <Title order={2}>{messages.messages}</Title>
      <Text size="sm" c="dimmed">
        {messages.messagesHelp[kind]}
      </Text>
      <Loaded query={query} skeleton={<SkeletonRows rows={2} />}>
        {(data) =>
          rowsOf(data).length === 0 ? (
            <Text>{messages.noMessages}</Text>
          ) : (
            <Accordion variant="separated" order={3} keepMounted={false}>
              {rowsOf(data).map((mail) => (
                <Message key={mail.id} mail={mail} />
              ))}
            </Accordion>
          )
        }
      </Loaded>
      {query.hasNextPage && (
        <Group justify="center">
          <MoreButton query={query} />
        </Group>
      )}
    </Stack>
  )
}

function Message({ mail: { id, to, subject, text, state, error, createdAt } }: { mail: Mail }) {
  const messages = useMessages(systemMessages)
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={500} className="wrap">
            {subject}
          </Text>
          <Badge variant="light" color={stateColors[state]} flex="none" mr="xs">
            {messages.states[state]}
          </Badge>
        </Group>
        <Text size="xs" c="dimmed" className="wrap">
          {messages.to(to)}, <RelativeTime at={createdAt} />
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        {error !== null && <RawError summary={messages.errors[state]} error={error} label={messages.rawError} />}
        {text === '' ? (
          <Text size="sm" c="dimmed">
            {messages.contentNotStored}
          </Text>
        ) : (
          <CopyableCode name={subject} code={text} />
        )}
      </Accordion.Panel>
    </Accordion.Item>
  )
}
