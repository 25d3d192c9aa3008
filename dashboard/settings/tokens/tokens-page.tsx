import type { ApiToken } from '@groundwork/api'
import { Anchor, Box, Button, Group, NativeSelect, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { rowsOf } from '../../lib/pages.ts'
import { oneOf } from '../../lib/search-params.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import type { Column } from '../../shell/data-table.tsx'
import { SearchInput } from '../../shell/filter-inputs.tsx'
import { FilterPanel } from '../../shell/list/filter-panel.tsx'
import { ListTable } from '../../shell/list/list-table.tsx'
import { columnSort, localRows } from '../../shell/list/local-rows.ts'
import { Page } from '../../shell/page.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { useCreateRequest } from '../../shell/use-create-request.ts'
import { useMessages } from '../../messages/messages.ts'
import { tokensLabel } from '../label.ts'
import { CreateToken } from './create-token.tsx'
import { tokenSorts, tokenStates, type TokenFilter } from './filter.ts'
import { tokensQuery } from './queries.ts'
import { RevokeTokens } from './revoke-tokens.tsx'
import { Bases, Scopes, TokenKind, TokenStatus } from './token-cells.tsx'
import { TokenDetails } from './token-details.tsx'
import { RenameToken, RotateToken } from './token-dialogs.tsx'
import { TokenMenu } from './token-menu.tsx'
import { stateOf } from './token-state.ts'
import { tokenMessages } from './messages.ts'

const route = getRouteApi('/$organization/settings/tokens')

export function TokensPage() {
  const title = useMessages(tokensLabel)
  const messages = useMessages(tokenMessages)
  const filter = route.useSearch()
  const { q, state, createdBy, sort } = filter
  const navigate = route.useNavigate()
  const set = (part: TokenFilter): void => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  const query = useInfiniteQuery(tokensQuery(useWorkspace(), createdBy))
  const [shown, show] = useState<string>()
  // Not in the row, which is removed when a phone is turned: the new secret is shown only once.
  const [opened, setOpened] = useState<{ dialog: 'rename' | 'rotate'; token: ApiToken }>()
  const setSort = (next: string): void => set({ sort: oneOf(tokenSorts, next) })
  const columns = useColumns(filter, setSort, show)
  const mayWrite = useMay('tokens:write')
  const [creating, { open, close }] = useDisclosure()
  useCreateRequest(open)
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {messages.newToken}
    </Button>
  )
  const isFiltered = q !== undefined || state !== undefined
  const local = (tokens: readonly ApiToken[]): readonly ApiToken[] =>
    localRows(
      tokens.filter((token) => state === undefined || stateOf(token, Date.now()) === state),
      filter,
      { textOf, orders },
    )
  const details = query.data && rowsOf(query.data).find(({ id }) => id === shown)
  return (
    <Page guide="authentication" title={title} description={messages.about} actions={create}>
      <FilterPanel
        active={state === undefined ? 0 : 1}
        isInline
        orders={{ labels: messages.sorts, value: sort ?? '', onChange: setSort }}
        search={<SearchInput label={messages.search} value={q} onChange={(text) => set({ q: text })} />}
      >
        <NativeSelect
          aria-label={messages.columns.status}
          data={[{ value: '', label: messages.anyStatus }, ...tokenStates.map((value) => ({ value, label: messages.statuses[value] }))]}
          value={state ?? ''}
          onChange={(event) => set({ state: oneOf(tokenStates, event.currentTarget.value) })}
        />
      </FilterPanel>
      {createdBy !== undefined && (
        <Group>
          <Text>{messages.createdBy((query.data && rowsOf(query.data)[0]?.createdByName) ?? createdBy)}</Text>
          <Anchor py={8} renderRoot={(props) => <Link {...props} from="/$organization/settings/tokens" search={{}} />}>
            {messages.showAll}
          </Anchor>
        </Group>
      )}
      <ListTable
        query={query}
        local={isFiltered || sort !== undefined ? local : undefined}
        empty={
          isFiltered ? (
            <EmptyState icon={IconKey} title={messages.noneFound}>
              {messages.noneFoundHelp}
            </EmptyState>
          ) : (
            <EmptyState icon={IconKey} title={createdBy === undefined ? messages.emptyTitle : messages.emptyOfCreator}>
              {createdBy === undefined && messages.emptyHelp}
            </EmptyState>
          )
        }
        label={title}
        selectionLabel={messages.selection}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        {...(mayWrite && {
          actions: (token: ApiToken) => (
            <TokenMenu
              token={token}
              onRename={() => setOpened({ dialog: 'rename', token })}
              onRotate={() => setOpened({ dialog: 'rotate', token })}
            />
          ),
          bulk: (tokens: readonly ApiToken[], clear: () => void) => <RevokeTokens tokens={tokens} onDone={clear} />,
          onCreate: open,
        })}
      />
      {details !== undefined && <TokenDetails token={details} onClose={() => show(undefined)} />}
      {creating && <CreateToken onClose={close} />}
      {opened?.dialog === 'rename' && <RenameToken token={opened.token} onClose={() => setOpened(undefined)} />}
      {opened?.dialog === 'rotate' && <RotateToken token={opened.token} onClose={() => setOpened(undefined)} />}
    </Page>
  )
}

const textOf = ({ name, hint, createdByName, publishable }: ApiToken): string =>
  [name, hint, createdByName, ...(publishable?.origins ?? [])].join(' ')

const orders = {
  name: ({ name }: ApiToken) => name,
  lastUsed: ({ lastUsedAt }: ApiToken) => lastUsedAt,
  expires: ({ expiresAt }: ApiToken) => expiresAt,
}

function useColumns({ sort }: TokenFilter, onSort: (sort: string) => void, show: (id: string) => void): Column<ApiToken>[] {
  const messages = useMessages(tokenMessages)
  const { columns, never } = messages
  const sortOf = (key: keyof typeof orders, first?: 'descending') => columnSort(key, sort, onSort, first)
  return [
    {
      key: 'token',
      header: columns.token,
      grows: true,
      sort: sortOf('name'),
      cell: (token) => (
        <Box miw={0}>
          <UnstyledButton className="row-link cut" dir="auto" fz="sm" title={token.name} onClick={() => show(token.id)}>
            {token.name}
          </UnstyledButton>
          <TokenKind token={token} />
        </Box>
      ),
    },
    { key: 'scopes', header: columns.scopes, cell: (token) => <Scopes token={token} />, width: 180 },
    { key: 'bases', header: columns.bases, cell: (token) => <Bases token={token} />, width: 150 },
    {
      key: 'lastUsed',
      header: columns.lastUsed,
      align: 'right',
      width: 120,
      sort: sortOf('lastUsed', 'descending'),
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? never : <RelativeTime at={lastUsedAt} />),
    },
    {
      key: 'expires',
      header: columns.expires,
      align: 'right',
      width: 120,
      sort: sortOf('expires'),
      cell: ({ expiresAt }) => (expiresAt === null ? never : <RelativeTime at={expiresAt} />),
    },
    {
      key: 'createdBy',
      header: columns.createdBy,
      width: 140,
      cell: ({ createdBy, createdByName }) => createdByName ?? createdBy ?? messages.commandLine,
    },
    { key: 'status', header: columns.status, cell: (token) => <TokenStatus token={token} />, width: 130 },
  ]
}
