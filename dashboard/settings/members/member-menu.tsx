import type { Member } from '@groundwork/api'
import { Menu } from '@mantine/core'
import { IconDoorExit, IconUserMinus } from '@tabler/icons-react'
import { useMay, useWorkspace, WorkspaceContext } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import { RowMenu } from '../../shell/row-menu.tsx'
import { useMessages } from '../../messages/messages.ts'
import { membersKey } from './queries.ts'
import { rolesGivenBy } from './roles.ts'
import { RemainingTokens } from './remaining-tokens.tsx'
import { memberMessages } from './messages.ts'

/** Removes a member. On the user’s own row, leaves the organization. */
export function MemberMenu({ member, isLastOwner }: { member: Member; isLastOwner: boolean }) {
  const messages = useMessages(memberMessages)
  const workspace = useWorkspace()
  const confirm = useConfirm()
  const isSelf = member.id === workspace.user.id
  const mayRemove = useMay('members:write') && rolesGivenBy(workspace.organization.role).includes(member.role)
  const remove = useChange(() => workspace.client.members.delete(member.id), {
    invalidates: () => (isSelf ? [] : [membersKey(workspace)]),
    done: messages.removed(member.name),
    refusals: { conflict: messages.lastOwner },
    // A full page load drops cached data of the organization that the user has left.
    onDone: () => isSelf && window.location.assign('/app/'),
  })
  if ((!isSelf && !mayRemove) || isLastOwner) return null
  const ask = async (): Promise<void> => {
    const { title, help, action } = isSelf
      ? { title: messages.leaveTitle, help: messages.leaveHelp, action: messages.leaveAction }
      : { title: messages.removeTitle(member.name), help: messages.removeHelp, action: messages.removeAction }
    const body = (
      // The dialog renders outside the organization's context provider.
      <WorkspaceContext value={workspace}>
        {help}
        <RemainingTokens member={member} />
      </WorkspaceContext>
    )
    if (await confirm({ title, body, action })) remove.mutate()
  }
  const Icon = isSelf ? IconDoorExit : IconUserMinus
  return (
    <RowMenu label={messages.menuOf(member.name)}>
      <Menu.Item c="var(--mantine-color-error)" leftSection={<Icon size={16} aria-hidden />} onClick={() => void ask()}>
        {isSelf ? messages.leave : messages.remove}
      </Menu.Item>
    </RowMenu>
  )
}
