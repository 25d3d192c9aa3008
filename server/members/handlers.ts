import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import type { IdentityServices } from '../identity/context.ts'
import { acceptInvitation, previewInvitation } from './accept.ts'
import { createInvitation, deleteInvitation, getInvitation, listInvitations, resendInvitation } from './invitations.ts'
import { listMembers, removeMember, updateMember } from './members.ts'

export const memberHandlers: Handlers<GroundworkApi, IdentityServices>['members'] = {
  list: (ctx, { query }) => listMembers(ctx, query),
  update: (ctx, { params, body }) => updateMember(ctx, params.userId, body),
  remove: (ctx, { params }) => removeMember(ctx, params.userId),
}

export const invitationHandlers: Handlers<GroundworkApi>['invitations'] = {
  create: (ctx, { body }) => createInvitation(ctx, body),
  list: (ctx, { query }) => listInvitations(ctx, query),
  get: (ctx, { params }) => getInvitation(ctx, params.invitationId),
  delete: (ctx, { params }) => deleteInvitation(ctx, params.invitationId),
  resend: (ctx, { params }) => resendInvitation(ctx, params.invitationId),
  look: (ctx, { body }) => previewInvitation(ctx, body.token),
  accept: (ctx, { body }) => acceptInvitation(ctx, body),
}
