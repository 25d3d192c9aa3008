import { z } from 'zod'
import { emailAddress, Me, password, personName } from './people.ts'
import { Role } from './roles.ts'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, pageOf, pageQuery, text, Timestamp } from './schemas.ts'

export const Member = z
  .object({
    id: idOutput('usr'),
    name: z.string().describe('Name of the user.'),
    email: z.string().describe('Email address of the user, in lower case.'),
    role: Role,
    twoFactorEnabled: z.boolean().describe('Whether signing in also needs a second factor.'),
    joinedAt: Timestamp.describe('Time at which the user joined the organization: UTC with milliseconds (ISO 8601).'),
  })
  .meta({ id: 'Member', description: 'A user in the organization.' })
export type Member = z.input<typeof Member>

const UpdateMember = z
  .strictObject({ role: Role })
  .meta({ id: 'UpdateMember', description: 'The new role.', examples: [{ role: 'admin' }] })
export type UpdateMember = z.output<typeof UpdateMember>

const ListMembers = z.strictObject(pageQuery)
export type ListMembers = z.output<typeof ListMembers>

const ofMember = z.object({ userId: idInput('usr') })

export const members = {
  list: route({
    method: 'GET',
    path: '/v1/members',
    summary: 'List members, newest first',
    scope: 'members:read',
    query: ListMembers,
    status: 200,
    reply: pageOf(Member),
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/members/{userId}',
    summary: 'Change the role of a member',
    description: 'Only owners can appoint and demote owners; 403 otherwise. The last owner cannot be demoted: 409.',
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
    summary: 'Remove a member or leave the organization',
    description:
      'Every member can leave. Removing others needs the scope `members:write`, and only owners can remove owners; 403 otherwise. The last owner cannot be removed: 409. API tokens created by the member keep working.',
    scope: 'members:read',
    params: ofMember,
    status: 204,
    errors: ['conflict'],
  }),
}

/** Number of days for which an invitation can be accepted. */
export const invitationDays = 7

export const Invitation = z
  .object({
    id: idOutput('inv'),
    email: z.string().describe('Email address of the invited person, in lower case.'),
    role: Role,
    createdAt,
    expiresAt: Timestamp.describe(`Time at which the link expires, ${invitationDays} days after it was sent: UTC with milliseconds.`),
  })
  .meta({ id: 'Invitation', description: 'An invitation that was not accepted yet.' })
export type Invitation = z.input<typeof Invitation>

const CreateInvitation = z.strictObject({ email: emailAddress, role: Role }).meta({
  id: 'CreateInvitation',
  description: 'The person to invite and the role.',
  examples: [{ email: 'robin@example.com', role: 'member' }],
})
export type CreateInvitation = z.output<typeof CreateInvitation>

const ListInvitations = z.strictObject(pageQuery)
export type ListInvitations = z.output<typeof ListInvitations>

const token = text(1, 200).meta({ description: 'Token in the link of the invitation message.' })
const LookAtInvitation = z
  .strictObject({ token })
  .meta({ id: 'LookAtInvitation', description: 'The invitation to read.', examples: [{ token: '…' }] })
const AcceptInvitation = z
  .strictObject({
    token,
    name: personName.optional().meta({ description: 'Name of the new user. Required unless the email address has a user.' }),
    password: password
      .optional()
      .meta({ description: 'Password of the new user, 12 to 128 characters. Required unless the email address has a user.' }),
  })
  .meta({
    id: 'AcceptInvitation',
    description: 'The invitation, and the new user if the email address has none.',
    examples: [{ token: '…', name: 'Robin', password: 'a long pass phrase' }],
  })
export type AcceptInvitation = z.output<typeof AcceptInvitation>

export const InvitationLook = z
  .object({
    organizationName: z.string().describe('Name of the organization.'),
    email: z.string().describe('Email address of the invited person.'),
    role: Role,
    userExists: z
      .boolean()
      .describe('Whether a user with this email address exists. That user signs in before accepting; otherwise a user is created.'),
  })
  .meta({ id: 'InvitationLook', description: 'The content of an invitation.' })
export type InvitationPreview = z.input<typeof InvitationLook>

const ofInvitation = z.object({ invitationId: idInput('inv') })

export const invitations = {
  create: route({
    method: 'POST',
    path: '/v1/invitations',
    summary: 'Invite a person',
    description: `Sends a message with a link that works once, for ${invitationDays} days. 409 if the person is a member or has an open invitation; 403 for a role above that of the caller.`,
    scope: 'members:write',
    body: CreateInvitation,
    status: 201,
    reply: Invitation,
    errors: ['conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/v1/invitations',
    summary: 'List open invitations, newest first',
    description: 'Includes expired invitations, which can be sent again.',
    scope: 'members:read',
    query: ListInvitations,
    status: 200,
    reply: pageOf(Invitation),
  }),
  get: route({
    method: 'GET',
    path: '/v1/invitations/{invitationId}',
    summary: 'Get an open invitation',
    scope: 'members:read',
    params: ofInvitation,
    status: 200,
    reply: Invitation,
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/invitations/{invitationId}',
    summary: 'Revoke an invitation',
    scope: 'members:write',
    params: ofInvitation,
    status: 204,
  }),
  resend: route({
    method: 'POST',
    path: '/v1/invitations/{invitationId}/resend',
    summary: 'Send an invitation again',
    description: `Sends a new link that works for ${invitationDays} days. The former link stops working.`,
    scope: 'members:write',
    params: ofInvitation,
    status: 200,
    reply: Invitation,
  }),
  look: route({
    method: 'POST',
    path: '/v1/invitations/look',
    summary: 'Read an invitation',
    description:
      'Returns the organization and the role for the token of an invitation link. 404 for an invitation that was accepted, revoked or has expired.',
    answer: 'The content of the invitation.',
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
    answer: 'Accepted. The body is the new member with all organizations of that user.',
    description:
      'Without a user for the email address, `name` and `password` create one and sign in. With one, the request needs the session of that user: 401 without a session, 403 with the session of another user.',
    scope: 'public',
    body: AcceptInvitation,
    status: 200,
    reply: Me,
    headers: { 'Set-Cookie': 'Cookie of the session, for a new user.' },
    errors: ['not_found', 'unauthorized', 'forbidden', 'conflict', 'rate_limited'],
  }),
}
