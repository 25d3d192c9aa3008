import type { Member } from '@groundwork/api'
import { counted, type Messages } from '../../messages/messages.ts'

const roles: Record<Member['role'], string> = { owner: 'Owner', admin: 'Admin', member: 'Member', viewer: 'Viewer' }
const rolesHelp: Record<Member['role'], string> = {
  owner: 'Full access, including managing owners.',
  admin: 'Full access, except managing owners.',
  member: 'Can view and edit contacts, proposals and knowledge bases.',
  viewer: 'Can view contacts, proposals and knowledge bases.',
}

const en = {
  about: 'People with access to this organization, and their roles.',
  invite: 'Invite member',
  search: 'Search members',
  noneFound: 'No matching members',
  noneFoundHelp: 'Change the search.',
  columns: { member: 'Member', role: 'Role', twoFactor: 'Two-factor', joined: 'Member since' },
  roles,
  rolesHelp,
  you: '(you)',
  on: 'On',
  off: 'Off',
  roleOf: (name: string) => `Role of ${name}`,
  roleChanged: (name: string, role: string) => `The role of ${name} is now ${role}.`,
  lastOwner: 'An organization needs at least one owner. Make another member an owner first.',
  menuOf: (name: string) => `Actions for ${name}`,
  remove: 'Remove member',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeHelp: 'They lose access immediately. Everything they created stays.',
  tokensGoOn: counted('en')({
    one: '# API token created by this member keeps working. Revoke it if the member knows its secret.',
    other: '# API tokens created by this member keep working. Revoke any token if the member knows its secret.',
  }),
  seeTokens: 'View tokens',
  removeAction: 'Remove member',
  removed: (name: string) => `${name} was removed.`,
  leave: 'Leave organization',
  leaveTitle: 'Leave this organization?',
  leaveHelp: 'You lose access immediately. To return, you need a new invitation.',
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
  resend: 'Resend',
  resent: (email: string) => `The invitation to ${email} was resent. The previous link no longer works.`,
  revoke: 'Revoke',
  revokeTitle: (email: string) => `Revoke the invitation to ${email}?`,
  revokeHelp: 'The invitation link stops working.',
  revokeAction: 'Revoke invitation',
  revoked: 'The invitation was revoked.',
  noMail: 'No mail server is configured, so messages are saved instead of sent. You can send the invitation links yourself.',
  seeMessages: 'View messages',
}

export const memberMessages: Messages<typeof en> = { en }
