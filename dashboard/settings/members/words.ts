import type { Member } from '@groundwork/api'
import { counted, type Catalogue } from '../../words/words.ts'

const roles: Record<Member['role'], string> = { owner: 'Owner', admin: 'Admin', member: 'Member', viewer: 'Viewer' }
const rolesHelp: Record<Member['role'], string> = {
  owner: 'may do everything, also make and lower owners',
  admin: 'may do everything but make and lower owners',
  member: 'works with contacts, proposals and knowledge',
  viewer: 'sees what members see, and changes nothing',
}

const en = {
  about: 'Who works in this organization, and what each of them may do.',
  invite: 'Invite somebody',
  columns: { member: 'Member', role: 'Role', twoFactor: 'Two-factor', joined: 'Joined' },
  roles,
  rolesHelp,
  you: '(you)',
  on: 'On',
  off: 'Off',
  roleOf: (name: string) => `Role of ${name}`,
  roleChanged: (name: string, role: string) => `${name} is ${role} now.`,
  lastOwner: 'The last owner stays one: make somebody else an owner first.',
  menuOf: (name: string) => `What to do with ${name}`,
  remove: 'Remove…',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeHelp: 'They lose access at once. What they made stays.',
  tokensGoOn: counted('en')({
    one: '# API token made by this member goes on: revoke it if its secret is known outside.',
    other: '# API tokens made by this member go on: revoke those whose secrets are known outside.',
  }),
  seeTokens: 'See which',
  removeAction: 'Remove member',
  removed: (name: string) => `${name} was removed.`,
  leave: 'Leave…',
  leaveTitle: 'Leave this organization?',
  leaveHelp: 'You lose access at once, and come back only by another invitation.',
  leaveAction: 'Leave',
  invitations: 'Invitations',
  invitationColumns: { email: 'E-mail', role: 'Role', state: 'State', sent: 'Sent', actions: 'Actions' },
  waiting: 'Waiting',
  over: 'Expired',
  noInvitations: 'Nobody has an invitation that waits.',
  inviteTitle: 'Invite somebody',
  inviteHelp: 'They get a message with a link that works once, for seven days.',
  email: 'E-mail address',
  role: 'Role',
  send: 'Send invitation',
  sent: (email: string) => `${email} was invited.`,
  resend: 'Send again',
  resent: (email: string) => `The invitation to ${email} was sent again; the link of before has ended.`,
  revoke: 'Take back…',
  revokeTitle: (email: string) => `Take back the invitation to ${email}?`,
  revokeHelp: 'Its link stops working.',
  revokeAction: 'Take back',
  revoked: 'The invitation was taken back.',
  noMail: 'There is no mail server: messages are kept as files instead of being sent. You can pass their links on yourself.',
  seeMessages: 'See the messages',
}

export const memberWords: Catalogue<typeof en> = { en }
