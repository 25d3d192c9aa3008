import { z } from 'zod'
import { eventTypes } from './events.ts'
import { route } from './route.ts'
import { anyIdInput, idOutput, pageOf, pageQuery, queryTime, Timestamp } from './schemas.ts'

/** Changes of which there is no event, or for which an event's type would say too little. Entries are kept: no name goes. */
const ownActions = [
  'contact.restored',
  'contact.purged',
  'proposal.updated',
  'proposal.deleted',
  'source.created',
  'source.retried',
  'source.synced',
  'source.updated',
  'source.replaced',
  'source.cancelled',
  'reindex.started',
  'reindex.switched',
  'reindex.rolled_back',
  'reindex.cancelled',
  'question.created',
  'question.imported',
  'question.updated',
  'question.deleted',
  'evaluation.created',
  'evaluation.deleted',
  'upload.created',
  'upload.received',
  'token.created',
  'token.updated',
  'token.rotated',
  'token.revoked',
  'token.overlap_ended',
  'organization.created',
  'organization.updated',
  'member.added',
  'member.updated',
  'member.removed',
  'invitation.created',
  'invitation.resent',
  'invitation.deleted',
  'invitation.accepted',
  'user.signed_in',
  'user.sign_in_failed',
  'user.signed_out',
  'user.sessions_revoked',
  'user.password_changed',
  'user.password_reset',
  'user.two_factor_enabled',
  'user.two_factor_disabled',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.deleted',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.redelivered',
  'webhook_delivery.tested',
  'webhook_delivery.redelivered',
] as const
const auditActions = [...eventTypes, ...ownActions] as const
export type AuditAction = (typeof auditActions)[number]

const AuditActor = z
  .object({
    type: z.enum(['token', 'user', 'system', 'command_line']).meta({
      description: 'system is the service itself, for instance when it has processed a source; command_line is an operator',
    }),
    id: z.string().nullable().meta({ description: 'Of a token or a user; null for the others' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'What the token or the user is called now; null for the others, and where it is gone' }),
  })
  .meta({ id: 'AuditActor' })

export const AuditEntry = z
  .object({
    id: idOutput('aud'),
    action: z.enum(auditActions),
    actor: AuditActor,
    targetId: z
      .string()
      .meta({ description: 'What was changed; it may be gone by now', examples: ['ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'] }),
    address: z.string().nullable().meta({ description: 'Where the request came from; null where nobody asked' }),
    requestId: z.string().nullable().meta({ description: 'The X-Request-Id of the answer; null where nobody asked' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.input<typeof AuditEntry>

const action = z
  .union([z.enum(auditActions), z.array(z.enum(auditActions)).max(50)])
  .transform((value) => [value].flat())
  .optional()
  .meta({ description: 'Repeat it to ask for several actions; all of them by default.' })

const ListAuditEntries = z.strictObject({
  ...pageQuery,
  action,
  actorId: anyIdInput.optional().meta({ description: 'What this token or user did' }),
  targetId: anyIdInput.optional().meta({ description: 'What was done to this contact, proposal, base, source, token and so on' }),
  since: queryTime.optional().meta({ description: 'From this moment on' }),
  until: queryTime.optional().meta({ description: 'Before this moment' }),
})
export type ListAuditEntries = z.output<typeof ListAuditEntries>

export const audit = {
  list: route({
    method: 'GET',
    path: '/v1/audit',
    summary: 'List the audit log, newest first',
    description:
      'Every change of the last 400 days: who made it, when and from where. Entries are written with the change itself, and nobody can change them. 403 for a token that is limited to knowledge bases.',
    scope: 'audit:read',
    query: ListAuditEntries,
    status: 200,
    reply: pageOf(AuditEntry),
  }),
}
