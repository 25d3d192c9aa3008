import type { Invitation } from '@groundwork/api'
import { Alert, Anchor, Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import type { Column } from '../../shell/data-table.tsx'
import { PagedTable } from '../../shell/paged-table.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { SkeletonRows } from '../../shell/states.tsx'
import { useMessages } from '../../messages/messages.ts'
import { mailsKey } from '../system/queries.ts'
import { InvitationLink, useMailsAreStored } from './invitation-link.tsx'
import { invitationsKey, invitationsQuery } from './queries.ts'
import { rolesGivenBy } from './roles.ts'
import { memberMessages } from './messages.ts'

/** Lists open and expired invitations. */
export function Invitations() {
  const messages = useMessages(memberMessages)
  const query = useInfiniteQuery(invitationsQuery(useWorkspace()))
  const mayWrite = useMay('members:write')
  /** The address whose link is shown. Not in the rows, which are rendered anew when a phone is turned. */
  const [linkOf, showLink] = useState<string>()
  const columns = useColumns(showLink)
  return (
    <Stack component="section">
      <Title order={2}>{messages.invitations}</Title>
      {mayWrite && <NoMailServer />}
      <PagedTable
        query={query}
        empty={<Text c="dimmed">{messages.noInvitations}</Text>}
        skeleton={<SkeletonRows rows={2} />}
        label={messages.invitations}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ email }) => email}
      />
      {linkOf !== undefined && <InvitationLink email={linkOf} onClose={() => showLink(undefined)} />}
    </Stack>
  )
}

function NoMailServer() {
  const messages = useMessages(memberMessages)
  const workspace = useWorkspace()
  if (!useMailsAreStored()) return null
  return (
    <Alert color="yellow" icon={<IconMail aria-hidden />}>
      <Text size="sm">
        {messages.noMail}{' '}
        <Anchor
          size="sm"
          c="inherit"
          underline="always"
          renderRoot={(props) => (
            <Link {...props} to="/$organization/settings/system" params={{ organization: workspace.organization.slug }} />
          )}
        >
          {messages.seeMessages}
        </Anchor>
      </Text>
    </Alert>
  )
}

function useColumns(onLink: (email: string) => void): Column<Invitation>[] {
  const messages = useMessages(memberMessages)
  const columns = messages.invitationColumns
  const mayWrite = useMay('members:write')
  const given = rolesGivenBy(useWorkspace().organization.role)
  return [
    {
      key: 'email',
      header: columns.email,
      grows: true,
      cell: ({ email }) => (
        <Text size="sm" className="cut" title={email}>
          {email}
        </Text>
      ),
    },
    { key: 'role', header: columns.role, cell: ({ role }) => messages.roles[role], width: 160 },
    {
      key: 'status',
      header: columns.status,
      width: 130,
      cell: ({ expiresAt }) => {
        const isExpired = new Date(expiresAt).getTime() < Date.now()
        return (
          <Badge variant="light" color={isExpired ? 'gray' : 'green'}>
            {isExpired ? messages.expired : messages.pending}
          </Badge>
        )
      },
    },
    { key: 'sent', header: columns.sent, cell: ({ createdAt }) => <RelativeTime at={createdAt} />, width: 160 },
    ...(mayWrite
      ? [
          {
            key: 'actions',
            header: columns.actions,
            cell: (invitation: Invitation) =>
              given.includes(invitation.role) ? <InvitationActions invitation={invitation} onLink={onLink} /> : null,
            align: 'right' as const,
            width: 220,
          },
        ]
      : []),
  ]
}

interface InvitationActionsProps {
  invitation: Invitation
  /** Shows the new link of an address. */
  onLink: (email: string) => void
}

function InvitationActions({ invitation: { id, email }, onLink }: InvitationActionsProps) {
  const messages = useMessages(memberMessages)
  const workspace = useWorkspace()
  const confirm = useConfirm()
  const invalidates = () => [invitationsKey(workspace), mailsKey(workspace)]
  const showsLink = useMailsAreStored()
  const words = showsLink ? messages.newLink : messages.resend
  const resend = useChange(() => workspace.client.invitations.resend(id), {
    invalidates,
    done: words.done(email),
    onDone: () => {
      if (showsLink) onLink(email)
    },
  })
  const revoke = useChange(() => workspace.client.invitations.delete(id), { invalidates, done: messages.revoked })
  const askResend = async (): Promise<void> => {
    if (await confirm({ title: words.title(email), body: words.help, action: words.action, isDestructive: false })) resend.mutate()
  }
  const askRevoke = async (): Promise<void> => {
    if (await confirm({ title: messages.revokeTitle(email), body: messages.revokeHelp, action: messages.revokeAction })) revoke.mutate()
  }
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        variant="default"
        size="sm"
        loading={resend.isPending}
        onClick={() => void askResend()}
        aria-label={`${words.label}: ${email}`}
      >
        {words.label}
      </Button>
      <Button variant="subtle" color="red" size="sm" onClick={() => void askRevoke()} aria-label={`${messages.revoke}: ${email}`}>
        {messages.revoke}
      </Button>
    </Group>
  )
}
