import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { browserOf } from '../lib/user-agent.ts'
import { notifySuccess, notifyError } from '../shell/notify.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { askAuth } from './ask.ts'
import { sessionsKey, sessionsQuery, type ListedSession } from './session-list.ts'
import { accountMessages } from './account-messages.ts'

export function Sessions() {
  const { sessions: words } = useMessages(accountMessages)
  const queries = useQueryClient()
  const query = useQuery(sessionsQuery)
  const end = async (path: string, body: object): Promise<void> => {
    try {
      await askAuth(path, body)
      notifySuccess(words.revoked)
    } catch (error) {
      notifyError(error)
    }
    await queries.invalidateQueries({ queryKey: sessionsKey })
  }
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={2} height={56} />}>
      {(sessions) => (
        <Stack>
          <Stack component="ul" gap="sm" p={0} m={0} className="plain-list">
            {sessions.map((session) => (
              <SessionLine key={session.id} session={session} onEnd={() => void end('/revoke-session', { token: session.token })} />
            ))}
          </Stack>
          {sessions.length > 1 && (
            <Group>
              <Button variant="default" onClick={() => void end('/revoke-other-sessions', {})}>
                {words.revokeAll}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

function SessionLine({ session, onEnd }: { session: ListedSession & { here: boolean }; onEnd: () => void }) {
  const { sessions: words } = useMessages(accountMessages)
  const name = browserOf(session.userAgent) ?? words.unknown
  return (
    <Group component="li" justify="space-between">
      <div>
        <Group gap="xs">
          <Text fw={500}>{name}</Text>
          {session.here && <Badge variant="light">{words.here}</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {words.since} <RelativeTime at={session.createdAt} />
          {session.ipAddress ? ` · ${session.ipAddress}` : ''}
        </Text>
      </div>
      {!session.here && (
        <Button variant="default" onClick={onEnd} aria-label={`${words.revoke}: ${name}`}>
          {words.revoke}
        </Button>
      )}
    </Group>
  )
}
