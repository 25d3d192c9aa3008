import type { Member } from '@groundwork/api'
import { Box, Button, NativeSelect, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { rowsOf } from '../../lib/pages.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { DataTable, type Column } from '../../shell/data-table.tsx'
import { Page } from '../../shell/page.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { Loaded, SkeletonRows } from '../../shell/states.tsx'
import { useMessages } from '../../messages/messages.ts'
import { membersLabel } from '../label.ts'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberMenu } from './member-menu.tsx'
import { membersKey, membersQuery } from './queries.ts'
import { isLastOwner, rolesGivenBy } from './roles.ts'
import { memberMessages } from './messages.ts'

export function MembersPage() {
  const title = useMessages(membersLabel)
  const messages = useMessages(memberMessages)
  const query = useInfiniteQuery(membersQuery(useWorkspace()))
  const mayWrite = useMay('members:write')
  const [inviting, { open, close }] = useDisclosure()
  const invite = mayWrite && (
    <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
      {messages.invite}
    </Button>
  )
  return (
    <Page guide="authentication" title={title} description={messages.about} actions={invite}>
      <Loaded query={query} skeleton={<SkeletonRows rows={3} />}>
        {(data) => <Members members={rowsOf(data)} more={query} />}
      </Loaded>
      <Invitations />
      {inviting && <InviteDialog onClose={close} />}
    </Page>
  )
}

interface MembersProps {
  members: readonly Member[]
  more: Parameters<typeof DataTable<Member>>[0]['more']
}

function Members({ members, more }: MembersProps) {
  const title = useMessages(membersLabel)
  const columns = useColumns(members)
  return (
    <DataTable
      label={title}
      columns={columns}
      rows={members}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      {...(more && { more })}
      actions={(member) => <MemberMenu member={member} isLastOwner={isLastOwner(member, members)} />}
    />
  )
}

function useColumns(all: readonly Member[]): Column<Member>[] {
  const messages = useMessages(memberMessages)
  const { columns } = messages
  const { user } = useWorkspace()
  return [
    {
      key: 'member',
      header: columns.member,
      cell: ({ id, name, email }) => (
        <Box>
          <Text size="sm" fw={500}>
            {name} {id === user.id && messages.you}
          </Text>
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        </Box>
      ),
    },
    { key: 'role', header: columns.role, cell: (member) => <RoleField member={member} isLast={isLastOwner(member, all)} /> },
    { key: 'twoFactor', header: columns.twoFactor, cell: ({ twoFactorEnabled }) => (twoFactorEnabled ? messages.on : messages.off) },
    { key: 'joined', header: columns.joined, cell: ({ joinedAt }) => <RelativeTime at={joinedAt} />, align: 'right' },
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
      disabled={change.isPending}
      onChange={(event) => {
        const role = assignable.find((known) => known === event.currentTarget.value)
        if (role !== undefined) change.mutate(role)
      }}
      data={assignable.map((role) => ({ value: role, label: messages.roles[role] }))}
    />
  )
}
