import type { Member } from '@groundwork/api'
import { counted, type Messages } from '../../messages/messages.ts'

const count = counted('en')

const roles: Record<Member['role'], string> = { owner: 'Owner', admin: 'Admin', member: 'Member', viewer: 'Viewer' }
const rolesHelp: Record<Member['role'], string> = {
  owner: 'Full access, including managing owners.',
  admin: 'Full access, except for managing owners.',
  member: 'Can view and edit contacts, proposals and knowledge bases.',
  viewer: 'Can view contacts, proposals and knowledge bases.',
}

const en = {
  about: 'People with access to this organization, and their roles.',
  invite: 'Invite member',
  search: 'Search members',
  noneFound: 'No matching members',
  noneFoundHelp: 'Try another search, or change the filters.',
  anyRole: 'Any role',
  selection: 'Selected members',
  columns: { member: 'Member', role: 'Role', twoFactor: 'Two-factor', joined: 'Member since' },
  sorts: {
    '': 'Newest first',
    joined: 'Oldest first',
    name: 'Name, A to Z',
    '-name': 'Name, Z to A',
  },
  roles,
  rolesHelp,
  you: '(you)',
  on: 'On',
  off: 'Off',
  roleOf: (name: string) => `Role for ${name}`,
  roleChanged: (name: string, role: string) => `${name}’s role is now ${role}.`,
  lastOwner: 'An organization needs at least one owner. Make another member an owner first.',
  menuOf: (name: string) => `Actions for ${name}`,
  remove: 'Remove member',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeHelp: 'They will lose access immediately. Everything they created is kept.',
  tokensGoOn: count({
    one: '# API token created by this member keeps working. Revoke it if the member knows its secret.',
    other: '# API tokens created by this member keep working. Revoke any whose secret the member knows.',
  }),
  seeTokens: 'View tokens',
  removeAction: 'Remove member',
  setRole: { admin: 'Make admins', member: 'Make members', viewer: 'Make viewers' },
  rolesChanged: count({ one: 'The role of # member was changed.', other: 'The roles of # members were changed.' }),
  removeMany: 'Remove members',
  removeCount: count({ one: 'Remove # member?', other: 'Remove # members?' }),
  removeManyHelp: (names: string) =>
    `${names} will lose access immediately. Everything they created is kept, and API tokens they created will keep working. Revoke any whose secrets they know.`,
  removedCount: count({ one: '# member was removed.', other: '# members were removed.' }),
  removed: (name: string) => `${name} was removed.`,
  leave: 'Leave organization',
  leaveTitle: 'Leave this organization?',
  leaveHelp: 'You will lose access immediately. To return, you will need a new invitation.',
  leaveAction: 'Leave organization',
  invitations: 'Invitations',
  invitationColumns: { email: 'Email', role: 'Role', status: 'Status', sent: 'Sent', actions: 'Actions' },
  pending: 'Pending',
  expired: 'Expired',
  noInvitations: 'No pending invitations.',
  inviteTitle: 'Invite member',
  inviteHelp: 'The invitation contains a link that works once and expires after 7 days.',
  email: 'Email address',
  role: 'Role',
  send: 'Send invitation',
  sent: (email: string) => `${email} was invited.`,
  resend: {
    label: 'Resend',
    title: (email: string) => `Send the invitation to ${email} again?`,
    help: 'They will receive a new email. The link in the previous one will stop working.',
    action: 'Resend invitation',
    done: (email: string) => `The invitation to ${email} was resent. The previous link no longer works.`,
  },
  newLink: {
    label: 'New link',
    title: (email: string) => `Create a new link for ${email}?`,
    help: 'The previous link will stop working.',
    action: 'Create link',
    done: (email: string) => `The invitation to ${email} has a new link. The previous one no longer works.`,
  },
  link: 'Invitation link',
  linkTitle: (email: string) => `Invitation link for ${email}`,
  linkHelp:
    'No mail server is configured. Copy the link and send it only to this person. It works once and expires after 7 days. You can create a new link later.',
  linkDone: 'Done',
  noLink: 'The link cannot be shown. Create a new link from the invitations list.',
  revoke: 'Revoke',
  revokeTitle: (email: string) => `Revoke the invitation to ${email}?`,
  revokeHelp: 'The invitation link will stop working. You can invite this person again later.',
  revokeAction: 'Revoke invitation',
  revoked: 'The invitation was revoked.',
  noMail: 'No mail server is configured, so messages are saved instead of being sent. You can send the invitation links yourself.',
  seeMessages: 'View messages',
}

export const memberMessages: Messages<typeof en> = { en }
