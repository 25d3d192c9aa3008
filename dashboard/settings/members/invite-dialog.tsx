import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { sentBy, useForm } from '../../shell/form.ts'
import { useMessages } from '../../messages/messages.ts'
import { mailsKey } from '../system/queries.ts'
import { InvitationLink, useAskMailsAreStored } from './invitation-link.tsx'
import { invitationsKey } from './queries.ts'
import { rolesGivenBy, type Role } from './roles.ts'
import { memberMessages } from './messages.ts'

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const messages = useMessages(memberMessages)
  const workspace = useWorkspace()
  const roles = rolesGivenBy(workspace.organization.role)
  const form = useForm<{ email: string; role: Role }>({ email: '', role: 'member' })
  const areMailsStored = useAskMailsAreStored()
  const [invited, setInvited] = useState<string>()
  const change = useChange((body: typeof form.values) => workspace.client.invitations.create(body), {
    invalidates: () => [invitationsKey(workspace), mailsKey(workspace)],
    done: ({ email }) => messages.sent(email),
    notifyFailure: false,
    onDone: ({ email }) =>
      void areMailsStored().then(
        (areStored) => (areStored ? setInvited(email) : onClose()),
        // The invitation is sent; the list has its link too.
        onClose,
      ),
  })
  if (invited !== undefined) return <InvitationLink email={invited} onClose={onClose} />
  return (
    <FormDialog title={messages.inviteTitle} onClose={onClose} {...sentBy(form, change)} action={messages.send} fields={['email', 'role']}>
      <Text size="sm" c="dimmed">
        {messages.inviteHelp}
      </Text>
      <TextInput type="email" label={messages.email} {...form.text('email')} autoComplete="off" required data-autofocus />
      <NativeSelect
        label={messages.role}
        description={messages.rolesHelp[form.values.role]}
        value={form.values.role}
        onChange={(event) => form.set('role', roles.find((role) => role === event.currentTarget.value) ?? 'member')}
        data={roles.map((role) => ({ value: role, label: messages.roles[role] }))}
        error={form.errorOf('role')}
      />
    </FormDialog>
  )
}
