import type { Member } from '@groundwork/api'
import { useWorkspace } from '../../lib/workspace.ts'
import { BulkActions, namesIn } from '../../shell/list/bulk-actions.tsx'
import { useMessages } from '../../messages/messages.ts'
import { membersKey } from './queries.ts'
import { rolesGivenBy } from './roles.ts'
import { memberMessages } from './messages.ts'

/** Changes the role of selected members, and removes them. The user’s own row is left out. */
export function MemberBulkActions({ members, onDone }: { members: readonly Member[]; onDone: () => void }) {
  const messages = useMessages(memberMessages)
  const workspace = useWorkspace()
  const { client, organization, user } = workspace
  const assignable = rolesGivenBy(organization.role)
  const mayChange = ({ id, role }: Member): boolean => id !== user.id && assignable.includes(role)
  const refusals = { conflict: messages.lastOwner }
  return (
    <BulkActions
      rows={members}
      nameOf={({ name }) => name}
      onDone={onDone}
      invalidates={[membersKey(workspace)]}
      actions={[
        ...(['admin', 'member', 'viewer'] as const).map((role) => ({
          label: messages.setRole[role],
          appliesTo: (member: Member) => mayChange(member) && member.role !== role,
          run: ({ id }: Member) => client.members.update(id, { role }),
          done: messages.rolesChanged,
          refusals,
        })),
        {
          label: messages.removeMany,
          appliesTo: mayChange,
          run: ({ id }) => client.members.delete(id),
          question: (rows) => ({
            title: messages.removeCount(rows.length),
            body: messages.removeManyHelp(namesIn(rows.map(({ name }) => name))),
            action: messages.removeMany,
          }),
          done: messages.removedCount,
          refusals,
          isDangerous: true,
        },
      ]}
    />
  )
}
