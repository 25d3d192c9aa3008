import type { ApiToken } from '@groundwork/api'
import { Badge, Group, Text, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { baseChoicesQuery } from '../../lib/choices.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { stateOf } from './token-state.ts'
import { tokenMessages } from './messages.ts'

const colors = { active: 'green', expiring: 'yellow', expired: 'gray', revoked: 'red' } as const

export function TokenStatus({ token }: { token: ApiToken }) {
  const { statuses } = useMessages(tokenMessages)
  const state = stateOf(token, Date.now())
  return (
    <Badge variant="light" color={colors[state]}>
      {statuses[state]}
    </Badge>
  )
}

/** The end of the secret, and whether it may be in public pages. */
export function TokenKind({ token: { hint, publishable } }: { token: ApiToken }) {
  const messages = useMessages(tokenMessages)
  return (
    <Group gap={6} wrap="nowrap">
      {hint !== null && (
        <Text size="xs" c="dimmed" ff="monospace" className="one-line">
          {messages.endsIn(publishable === null ? 'gw_' : 'gwp_', hint)}
        </Text>
      )}
      {publishable !== null && (
        <Badge variant="light" color="blue" size="sm" flex="none">
          {messages.publishable}
        </Badge>
      )}
    </Group>
  )
}

/** Longer lists show only their length. */
const maxNamed = 2

/** The permissions of a token; for a publishable one, the pages on which it can search. */
export function Scopes({ token: { scopes, publishable } }: { token: ApiToken }) {
  const messages = useMessages(tokenMessages)
  const { organization } = useWorkspace()
  if (publishable !== null) {
    const hosts = publishable.origins.map((origin) => new URL(origin).host).join(', ')
    return (
      <span className="cut cell" title={hosts}>
        {messages.searchOn(hosts)}
      </span>
    )
  }
  if (organization.scopes.every((scope) => scopes.includes(scope))) return messages.everything
  return <ShortList all={scopes} count={messages.scopes} />
}

/** The knowledge bases that a token can access. */
export function Bases({ token: { baseIds } }: { token: ApiToken }) {
  const messages = useMessages(tokenMessages)
  const { data: bases = [] } = useQuery(baseChoicesQuery(useWorkspace()))
  if (baseIds === null) return messages.allBases
  return <ShortList all={baseIds.map((id) => bases.find((base) => base.id === id)?.name ?? id)} count={messages.bases} />
}

function ShortList({ all, count }: { all: readonly string[]; count: (length: number) => string }) {
  if (all.length <= maxNamed) return all.join(', ')
  const list = all.join(', ')
  return (
    <Tooltip label={list} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Text span size="sm" tabIndex={0} td="underline dotted" aria-label={list}>
        {count(all.length)}
      </Text>
    </Tooltip>
  )
}
