import type { AuditEntry } from '@groundwork/api'
import { Anchor, Group, Paper, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { AuditSentence, AuditTarget } from '../settings/audit/entry.tsx'
import { newestAuditQuery } from '../settings/audit/queries.ts'
import { RelativeTime } from '../shell/relative-time.tsx'
import { Loaded } from '../shell/states.tsx'
import { homeMessages } from './messages.ts'

const shownChanges = 8

/** Shows the newest changes in the organization. Only for users who may read the audit log. */
export function Activity() {
  const { activity: words } = useMessages(homeMessages)
  const workspace = useWorkspace()
  const query = useQuery(newestAuditQuery(workspace))
  return (
    <Paper component="section" withBorder p="md" className="home-activity" aria-labelledby="activity">
      <Group justify="space-between" gap="xs">
        <Title order={2} id="activity">
          {words.title}
        </Title>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to="/$organization/settings/audit" params={{ organization: workspace.organization.slug }} />
          )}
        >
          {words.all}
        </Anchor>
      </Group>
      <Loaded query={query} skeleton={<ChangesSkeleton />}>
        {(entries) => <Changes entries={entries.filter(isChange).slice(0, shownChanges)} />}
      </Loaded>
    </Paper>
  )
}

/** Signing in and out changes nothing. */
const isChange = ({ action }: AuditEntry): boolean => !action.startsWith('user.sign')

function Changes({ entries }: { entries: readonly AuditEntry[] }) {
  const { activity: words } = useMessages(homeMessages)
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed" my="auto" ta="center" px="md">
        {words.none}
      </Text>
    )
  return (
    <ul className="home-changes">
      {entries.map((entry) => (
        <li key={entry.id}>
          <AuditSentence entry={entry} />
          <div className="home-change">
            {/* The id of a deleted record says nothing here. */}
            {entry.targetName !== null && <AuditTarget entry={entry} />}
            <Text span size="xs" c="dimmed">
              <RelativeTime at={entry.createdAt} />
            </Text>
          </div>
        </li>
      ))}
    </ul>
  )
}

function ChangesSkeleton() {
  return (
    <ul className="home-changes">
      {Array.from({ length: shownChanges }, (_, row) => (
        <li key={row}>
          <Skeleton height={16} my={4} w="75%" />
          <Skeleton height={14} my={5} w="50%" />
        </li>
      ))}
    </ul>
  )
}
