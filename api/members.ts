import { z } from 'zod'
import { emailAddress, Me, password, personName } from './people.ts'
import { Role } from './roles.ts'
import { route } from './route.ts'
import { idInput, idOutput, pageOf, pageQuery, text, Timestamp } from './schemas.ts'

export const Member = z
  .object({
    id: idOutput('usr'),
    name: z.string(),
    email: z.string(),
    role: Role,
    twoFactorEnabled: z.boolean(),
    joinedAt: Timestamp,
  })
  .meta({ id: 'Member' })
export type Member = z.input<typeof Member>

const UpdateMember = z.strictObject({ role: Role }).meta({ id: 'UpdateMember', examples: [{ role: 'admin' }] })
export type UpdateMember = z.output<typeof UpdateMember>

const ListMembers = z.strictObject(pageQuery)
export type ListMembers = z.output<typeof ListMembers>

const ofMember = z.object({ userId: idInput('usr') })

export const members = {
  list: route({
    method: 'GET',
    path: '/v1/members',
    summary: 'List members',
    description: 'Who joined last comes first.',
    scope: 'members:read',
    query: ListMembers,
    status: 200,
    reply: pageOf(Member),
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/members/{userId}',
    summary: 'Give a member another role',
    description: 'Only an owner may make owners or lower them: 403. The last owner stays one: 409.',
    scope: 'members:write',
    params: ofMember,
    body: UpdateMember,
    status: 200,
    reply: Member,
    errors: ['conflict'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/members/{userId}',
    summary: 'Remove a member, or leave',
    description:
      'Everybody may leave; to remove others takes members:write, and to remove an owner an owner: 403. The last owner stays: 409. API tokens that the member made stay.',
    scope: 'members:read',
    params: ofMember,
    status: 204,
    errors: ['conflict'],
  }),
}

/** Days in which an invitation can be accepted. */
export const invitationDays = 7

export const Invitation = z
  .object({ id: idOutput('inv'), email: z.string(), role: Role, createdAt: Timestamp, expiresAt: Timestamp })
  .meta({ id: 'Invitation' })
export type Invitation = z.input<typeof Invitation>

const CreateInvitation = z
  .strictObject({ email: emailAddress, role: Role })
  .meta({ id: 'CreateInvitation', examples: [{ email: 'robin@example.com', role: 'member' }] })
export type CreateInvitation = z.output<typeof CreateInvitation>

const ListInvitations = z.strictObject(pageQuery)
export type ListInvitations = z.output<typeof ListInvitations>

const token = text(1, 200).meta({ description: 'From the link in the message' })
const LookAtInvitation = z.strictObject({ token }).meta({ id: 'LookAtInvitation', examples: [{ token: '…' }] })
const AcceptInvitation = z
  .strictObject({ token, name: personName.optional(), password: password.optional() })
  .meta({ id: 'AcceptInvitation', examples: [{ token: '…', name: 'Robin', password: 'a long pass phrase' }] })
export type AcceptInvitation = z.output<typeof AcceptInvitation>

export const InvitationLook = z
  .object({
    organizationName: z.string(),
    email: z.string(),
    role: Role,
    userExists: z.boolean().meta({ description: 'Whether somebody signs in with this address already, who then accepts with a session' }),
  })
  .meta({ id: 'InvitationLook' })
export type InvitationPreview = z.input<typeof InvitationLook>

const ofInvitation = z.object({ invitationId: idInput('inv') })

export const invitations = {
  create: route({
    method: 'POST',
    path: '/v1/invitations',
    summary: 'Invite somebody',
    description: `Sends a message with a link that works once, for ${invitationDays} days. 409 for a member, and for who has an invitation already; 403 for a role that may do more than who asks.`,
    scope: 'members:write',
    body: CreateInvitation,
    status: 201,
    reply: Invitation,
    errors: ['conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/v1/invitations',
    summary: 'List invitations that wait to be accepted',
    description: 'Newest first, also those whose time is over.',
    scope: 'members:read',
    query: ListInvitations,
    status: 200,
    reply: pageOf(Invitation),
  }),
  get: route({
    method: 'GET',
    path: '/v1/invitations/{invitationId}',
    summary: 'Get an invitation that waits to be accepted',
    scope: 'members:read',
    params: ofInvitation,
    status: 200,
    reply: Invitation,
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/invitations/{invitationId}',
    summary: 'Take an invitation back',
    scope: 'members:write',
    params: ofInvitation,
    status: 204,
  }),
  resend: route({
    method: 'POST',
    path: '/v1/invitations/{invitationId}/resend',
    summary: 'Send an invitation again',
    description: `With a new link, for another ${invitationDays} days; the one of before ends.`,
    scope: 'members:write',
    params: ofInvitation,
    status: 200,
    reply: Invitation,
  }),
  look: route({
    method: 'POST',
    path: '/v1/invitations/look',
    summary: 'Tell what an invitation is to',
    scope: 'public',
    reads: true,
    body: LookAtInvitation,
    status: 200,
    reply: InvitationLook,
    errors: ['not_found', 'rate_limited'],
  }),
  accept: route({
    method: 'POST',
    path: '/v1/invitations/accept',
    summary: 'Accept an invitation',
    description:
      'Whoever has no user yet gives a name and a password, gets a user and is signed in. For an address that has one, its session is wanted: 401 without, 403 with that of somebody else.',
    scope: 'public',
    body: AcceptInvitation,
    status: 200,
    reply: Me,
    headers: { 'Set-Cookie': 'The session of a new user' },
    errors: ['not_found', 'unauthorized', 'forbidden', 'conflict', 'rate_limited'],
  }),
}
