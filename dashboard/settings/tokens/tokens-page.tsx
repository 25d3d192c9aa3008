import type { ApiToken } from '@groundwork/api'
import { Anchor, Badge, Box, Button, Group, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { baseChoicesQuery } from '../../lib/choices.ts'
import { rowsOf } from '../../lib/pages.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import type { Column } from '../../shell/data-table.tsx'
import { Page } from '../../shell/page.tsx'
import { PagedTable } from '../../shell/paged-table.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { useMessages } from '../../messages/messages.ts'
import { tokensLabel } from '../label.ts'
import { CreateToken } from './create-token.tsx'
import { tokensQuery } from './queries.ts'
import { TokenMenu } from './token-menu.tsx'
import { stateOf } from './token-state.ts'
import { tokenMessages } from './messages.ts'

const route = getRouteApi('/$organization/settings/tokens')

export function TokensPage() {
  const title = useMessages(tokensLabel)
  const messages = useMessages(tokenMessages)
  const { createdBy } = route.useSearch()
  const query = useInfiniteQuery(tokensQuery(useWorkspace(), createdBy))
  const columns = useColumns()
  const mayWrite = useMay('tokens:write')
  const [creating, { open, close }] = useDisclosure()
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {messages.newToken}
    </Button>
  )
  return (
    <Page guide="authentication" title={title} description={messages.about} actions={create}>
      {createdBy !== undefined && (
        <Group>
          <Text>{messages.createdBy((query.data && rowsOf(query.data)[0]?.createdByName) ?? createdBy)}</Text>
          <Anchor py={8} renderRoot={(props) => <Link {...props} from="/$organization/settings/tokens" search={{}} />}>
            {messages.showAll}
          </Anchor>
        </Group>
      )}
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={IconKey} title={createdBy === undefined ? messages.emptyTitle : messages.emptyOfCreator}>
            {createdBy === undefined && messages.emptyHelp}
          </EmptyState>
        }
        label={title}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        {...(mayWrite && { actions: (token: ApiToken) => <TokenMenu token={token} /> })}
      />
      {creating && <CreateToken onClose={close} />}
    </Page>
  )
}

const colours = { active: 'green', expiring: 'yellow', expired: 'gray', revoked: 'red' } as const

function useColumns(): Column<ApiToken>[] {
  const messages = useMessages(tokenMessages)
  const { columns, statuses, never } = messages
  return [
    {
      key: 'token',
      header: columns.token,
      cell: ({ name, hint }) => (
        <Box>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          {hint !== null && (
            <Text size="xs" c="dimmed" ff="monospace">
              {messages.endsIn(hint)}
            </Text>
          )}
        </Box>
      ),
    },
    { key: 'scopes', header: columns.scopes, cell: (token) => <Scopes token={token} /> },
    { key: 'bases', header: columns.bases, cell: (token) => <Bases token={token} /> },
    {
      key: 'lastUsed',
      header: columns.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? never : <RelativeTime at={lastUsedAt} />),
    },
    {
      key: 'expires',
      header: columns.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? never : <RelativeTime at={expiresAt} />),
    },
    {
      key: 'createdBy',
      header: columns.createdBy,
      cell: ({ createdBy, createdByName }) => createdByName ?? createdBy ?? messages.commandLine,
    },
    { key: 'status', header: columns.status, cell: (token) => <Status token={token} statuses={statuses} /> },
  ]
}

function Status({ token, statuses }: { token: ApiToken; statuses: Record<keyof typeof colours, string> }) {
  const state = stateOf(token, Date.now())
  return (
    <Badge variant="light" color={colours[state]}>
      {statuses[state]}
    </Badge>
  )
}

/** Longer lists show only their length. */
const maxNamed = 2

function Scopes({ token: { scopes } }: { token: ApiToken }) {
  const messages = useMessages(tokenMessages)
  const { organization } = useWorkspace()
  if (organization.scopes.every((scope) => scopes.includes(scope))) return messages.everything
  return <ShortList all={scopes} count={messages.scopes} />
}

function Bases({ token: { baseIds } }: { token: ApiToken }) {
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
