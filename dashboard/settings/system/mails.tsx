import '@mantine/core/styles/Accordion.css'
import type { Mail } from '@groundwork/api'
import { Accordion, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { rowsOf } from '../../lib/pages.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { CopyableCode } from '../../shell/copyable-code.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { Loaded, SkeletonRows } from '../../shell/states.tsx'
import { sharedWords } from '../../words/shared.ts'
import { useWords } from '../../words/words.ts'
import { mailsQuery } from './queries.ts'
import { systemWords } from './words.ts'

/** Lists messages that were saved because no mail server is configured. */
export function Mails() {
  const words = useWords(systemWords)
  const shared = useWords(sharedWords)
  const query = useInfiniteQuery(mailsQuery(useWorkspace()))
  return (
    <Stack component="section">
      <Title order={2}>{words.messages}</Title>
      <Text size="sm" c="dimmed">
        {words.messagesHelp}
      </Text>
      <Loaded query={query} skeleton={<SkeletonRows rows={2} />}>
        {(data) =>
          rowsOf(data).length === 0 ? (
            <Text>{words.noMessages}</Text>
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
  const words = useWords(systemWords)
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Text size="sm" fw={500} className="wrap">
          {subject}
        </Text>
        <Text size="xs" c="dimmed" className="wrap">
          {words.to(to)}, <RelativeTime at={createdAt} />
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <CopyableCode name={subject} code={text} />
      </Accordion.Panel>
    </Accordion.Item>
  )
}
