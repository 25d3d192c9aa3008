import type { Member } from '@groundwork/api'
import { Box, Button, NativeSelect, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserPlus, IconUserSearch } from '@tabler/icons-react'
import { useInfiniteQuery, usePrefetchInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { rowsOf } from '../../lib/pages.ts'
import { oneOf } from '../../lib/search-params.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
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
import { membersLabel } from '../label.ts'
import { memberSorts, type MemberFilter } from './filter.ts'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberBulkActions } from './member-bulk-actions.tsx'
import { MemberMenu } from './member-menu.tsx'
import { invitationsQuery, membersKey, membersQuery } from './queries.ts'
import { isLastOwner, roles, rolesGivenBy } from './roles.ts'
import { memberMessages } from './messages.ts'

const route = getRouteApi('/$organization/settings/members')

export function MembersPage() {
  const title = useMessages(membersLabel)
  const messages = useMessages(memberMessages)
  const filter = route.useSearch()
  const { q, role, sort } = filter
  const navigate = route.useNavigate()
  const set = (part: MemberFilter): void => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  const workspace = useWorkspace()
  const query = useInfiniteQuery(membersQuery(workspace))
  usePrefetchInfiniteQuery(invitationsQuery(workspace))
  const members = query.data === undefined ? [] : rowsOf(query.data)
  const setSort = (next: string): void => set({ sort: oneOf(memberSorts, next) })
  const columns = useColumns(members, filter, setSort)
  const mayWrite = useMay('members:write')
  const [inviting, { open, close }] = useDisclosure()
  useCreateRequest(open)
  const local = (rows: readonly Member[]): readonly Member[] =>
    localRows(role === undefined ? rows : rows.filter((member) => member.role === role), filter, { textOf, orders })
  const invite = mayWrite && (
    <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
      {messages.invite}
    </Button>
  )
  return (
    <Page guide="authentication" title={title} description={messages.about} actions={invite}>
      <FilterPanel
        active={role === undefined ? 0 : 1}
        isInline
        orders={{ labels: messages.sorts, value: sort === undefined || sort === '-joined' ? '' : sort, onChange: setSort }}
        search={<SearchInput label={messages.search} value={q} onChange={(text) => set({ q: text })} />}
      >
        <NativeSelect
          aria-label={messages.columns.role}
          data={[{ value: '', label: messages.anyRole }, ...roles.map((value) => ({ value, label: messages.roles[value] }))]}
          value={role ?? ''}
          onChange={(event) => set({ role: oneOf(roles, event.currentTarget.value) })}
        />
      </FilterPanel>
      <ListTable
        query={query}
        local={Object.values(filter).every((value) => value === undefined) ? undefined : local}
        empty={
          <EmptyState icon={IconUserSearch} title={messages.noneFound}>
            {messages.noneFoundHelp}
          </EmptyState>
        }
        label={title}
        selectionLabel={messages.selection}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        actions={(member) => <MemberMenu member={member} isLastOwner={isLastOwner(member, members)} />}
        {...(mayWrite && {
          bulk: (chosen: readonly Member[], clear: () => void) => <MemberBulkActions members={chosen} onDone={clear} />,
          onCreate: open,
        })}
      />
      {/* The number of members moves what is below them. */}
      {!query.isPending && <Invitations />}
      {inviting && <InviteDialog onClose={close} />}
    </Page>
  )
}

const textOf = ({ name, email }: Member): string => `${name} ${email}`

const orders = { name: ({ name }: Member) => name, joined: ({ joinedAt }: Member) => joinedAt }

function useColumns(all: readonly Member[], { sort }: MemberFilter, onSort: (sort: string) => void): Column<Member>[] {
  const messages = useMessages(memberMessages)
  const { columns } = messages
  const { user } = useWorkspace()
  return [
    {
      key: 'member',
      header: columns.member,
      grows: true,
      sort: columnSort('name', sort, onSort),
      cell: ({ id, name, email }) => (
        <Box miw={0}>
          <Text size="sm" fw={500} className="cut" dir="auto" title={name}>
            {name} {id === user.id && messages.you}
          </Text>
          <Text size="xs" c="dimmed" className="cut" title={email}>
            {email}
          </Text>
        </Box>
      ),
    },
    { key: 'role', header: columns.role, cell: (member) => <RoleField member={member} isLast={isLastOwner(member, all)} />, width: 160 },
    {
      key: 'twoFactor',
      header: columns.twoFactor,
      cell: ({ twoFactorEnabled }) => (twoFactorEnabled ? messages.on : messages.off),
      width: 130,
    },
    {
      key: 'joined',
      header: columns.joined,
      cell: ({ joinedAt }) => <RelativeTime at={joinedAt} />,
      align: 'right',
      width: 160,
      sort: columnSort('joined', sort, onSort, 'descending'),
    },
  ]
}

/** Shows the role, as a select if the user may change it. */
function RoleField({ member, isLast }: { member: Member; isLast: boolean }) {
  const messages = useMessages(memberMessages)
  const workspace = useWorkspace()
  const mayWrite = useMay('members:write')
  const assignable = rolesGivenBy(workspace.organization.role)
  const change = useChange((role: Member['role']) => workspace.client.members.update(member.id, { role }), {
    invalidates: () => [membersKey(workspace), ...(member.id === workspace.user.id ? [['me']] : [])],
    done: ({ name, role }) => messages.roleChanged(name, messages.roles[role]),
    refusals: { conflict: messages.lastOwner },
  })
  if (!mayWrite || !assignable.includes(member.role) || isLast) {
    return <span title={isLast ? messages.lastOwner : messages.rolesHelp[member.role]}>{messages.roles[member.role]}</span>
  }
  return (
    <NativeSelect
      aria-label={messages.roleOf(member.name)}
      value={change.isPending ? change.variables : member.role}
      onChange={(event) => {
        const role = assignable.find((known) => known === event.currentTarget.value)
        // `disabled` would take the focus away.
        if (role !== undefined && !change.isPending) change.mutate(role)
      }}
      data={assignable.map((role) => ({ value: role, label: messages.roles[role] }))}
    />
  )
}
