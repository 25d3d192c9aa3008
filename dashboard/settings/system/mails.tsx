import '@mantine/core/styles/Accordion.css'
import type { Mail } from '@groundwork/api'
import { Accordion, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { rowsOf } from '../../lib/pages.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { CopyableCode } from '../../shell/copyable-code.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { Loaded, SkeletonRows } from '../../shell/states.tsx'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { mailsQuery } from './queries.ts'
import { systemMessages } from './messages.ts'

/** Lists messages that were saved because no mail server is configured. */
export function Mails() {
  const messages = useMessages(systemMessages)
  const shared = useMessages(sharedMessages)
  const query = useInfiniteQuery(mailsQuery(useWorkspace()))
  return (
    <Stack component="section">
      <Title order={2}>{messages.messages}</Title>
      <Text size="sm" c="dimmed">
        {messages.messagesHelp}
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
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {shared.more}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Message({ mail: { id, to, subject, text, createdAt } }: { mail: Mail }) {
  const messages = useMessages(systemMessages)
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Text size="sm" fw={500} className="wrap">
          {subject}
        </Text>
        <Text size="xs" c="dimmed" className="wrap">
          {messages.to(to)}, <RelativeTime at={createdAt} />
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <CopyableCode name={subject} code={text} />
      </Accordion.Panel>
    </Accordion.Item>
  )
}
