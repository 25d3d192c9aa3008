import { z } from 'zod'
import { AuditActor } from './actor.ts'
import { eventTypes } from './events.ts'
import { route } from './route.ts'
import { anyIdInput, createdAt, idOutput, pageOf, pageQuery, queryTime } from './schemas.ts'

/** Changes without an event, or with an event type that is too general. Entries persist, so no name may be removed. */
const ownActions = [
  'contact.verified',
  'suggestion.accepted',
  'suggestion.dismissed',
  'duplicate.dismissed',
  'company_duplicate.dismissed',
  'contact.consent_recorded',
  'contact.purged',
  'contacts.exported',
  'company.restored',
  'company.purged',
  'contact_import.created',
  'contact_import.cancelled',
  'contact_job.created',
  'contact_job.cancelled',
  'contact_view.created',
  'contact_view.updated',
  'contact_view.deleted',
  'custom_field.created',
  'custom_field.updated',
  'custom_field.archived',
  'custom_field.restored',
  'custom_field.converted',
  'proposal.updated',
  'proposal.deleted',
  'proposal.erased',
  'proposal.question_answered',
  'proposal_list_view.created',
  'proposal_list_view.updated',
  'proposal_list_view.deleted',
  'source_view.created',
  'source_view.updated',
  'source_view.deleted',
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
  'organization.deleted',
  'organization.quota_updated',
  'organization.exported',
  'organization.imported',
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
  'user.password_link_created',
  'user.two_factor_enabled',
  'user.two_factor_disabled',
  'job.retried',
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

export const AuditEntry = z
  .object({
    id: idOutput('aud'),
    action: z.enum(auditActions).meta({ description: 'Kind of the change: the resource and the action.', examples: ['token.created'] }),
    actor: AuditActor,
    targetId: z.string().meta({
      description: 'Id of the changed record, which may have been deleted since.',
      examples: ['ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'],
    }),
    targetName: z
      .string()
      .nullable()
      .meta({
        description:
          'Present name of the changed record, such as the title of a proposal, or of a page that was added without a name; null if it has none or was deleted.',
        examples: ['Robin Moss'],
      }),
    targetBaseId: idOutput('kb')
      .nullable()
      .describe('Knowledge base that contains the changed record; null for other records and deleted ones.'),
    address: z
      .string()
      .nullable()
      .meta({ description: 'IP address of the client; null for changes without a request.', examples: ['192.0.2.7'] }),
    requestId: z.string().nullable().meta({ description: '`X-Request-Id` of the response; null for changes without a request.' }),
    createdAt,
  })
  .meta({ id: 'AuditEntry', description: 'A change, its author and its origin.' })
export type AuditEntry = z.input<typeof AuditEntry>

const action = z
  .union([z.enum(auditActions), z.array(z.enum(auditActions)).max(50)])
  .transform((value) => [value].flat())
  .optional()
  .meta({ description: 'Only entries with this action. Repeat the parameter for several actions.' })

const ListAuditEntries = z.strictObject({
  ...pageQuery,
  action,
  actorId: anyIdInput.optional().meta({ description: 'Only changes by this token or user (`tok_…` or `usr_…`).' }),
  targetId: anyIdInput
    .optional()
    .meta({ description: 'Only changes of this record: a contact, a proposal, a knowledge base, a source, a token and so on.' }),
  since: queryTime.optional().meta({ description: 'Only entries at or after this time.' }),
  until: queryTime.optional().meta({ description: 'Only entries before this time.' }),
})
export type ListAuditEntries = z.output<typeof ListAuditEntries>

export const audit = {
  list: route({
    method: 'GET',
    path: '/v1/audit',
    summary: 'List the audit log, newest first',
    description:
      'Every change of the last 400 days by default, with its author, time and IP address. Entries are written in the transaction of the change and are immutable. Tokens limited to certain knowledge bases get 403.',
    scope: 'audit:read',
    query: ListAuditEntries,
    status: 200,
    reply: pageOf(AuditEntry),
  }),
}
