import { z } from 'zod'
import { AuditActor } from './actor.ts'
import { channels, consentStates } from './consent-states.ts'
import { RecordConsent } from './consent.ts'
import { contactFields, tagInput, tagsInput } from './contacts.ts'
import { exactlyOne, notWith, someOf } from './field-rules.ts'
import { route } from './route.ts'
import { authorIdInput, createdAt, idInput, idOutput, boundInput, pageOf, pageQuery, Timestamp } from './schemas.ts'
import { SearchFilter } from './search-filter.ts'

const count = (of: string) => z.int().describe(`Number of ${of}.`)

const revertedOf = (schema: z.ZodType<string | null>, of: string) => schema.describe(`${of}; null if the job reverts something else.`)

export const ContactJobCounts = z
  .object({
    changed: count('changed contacts'),
    deleted: count('deleted contacts'),
    restored: count('restored contacts'),
    unchanged: count('contacts that stay as they are'),
    valuesReverted: count('values that got their former value'),
    valuesKept: count('values that were kept, because others changed them since or their former value is not possible any more'),
    contactsKept: count('contacts that were kept whole'),
    suggestionsDismissed: count('suggestions that were dismissed'),
  })
  .meta({ id: 'ContactJobCounts', description: 'Results. A dry run has the results of a job at this time.' })
export type ContactJobCounts = z.output<typeof ContactJobCounts>

export const ContactJob = z
  .object({
    id: idOutput('job'),
    type: z.enum(['revert', 'bulk']).describe('`revert`: gives values the former ones. `bulk`: changes contacts.'),
    status: z
      .enum(['queued', 'running', 'completed', 'failed', 'cancelled'])
      .describe('`failed`: the log of the program says why; contacts that were changed before stay changed.'),
    dryRun: z.boolean().describe('Whether the job only counts and changes nothing.'),
    revert: z
      .object({
        actorId: revertedOf(z.string().nullable(), 'Id of the token or user (`tok_…` or `usr_…`) whose values are reverted'),
        importId: revertedOf(idOutput('imp').nullable(), 'Id of the import whose values are reverted'),
        jobId: revertedOf(idOutput('job').nullable(), 'Id of the bulk change that is reverted'),
        since: Timestamp.nullable().describe('Earliest time of the reverted changes; null for all.'),
      })
      .nullable()
      .describe('The reverted changes; null for a bulk change.'),
    change: z
      .object({
        action: z
          .enum(['update', 'delete', 'restore', 'record_consent'])
          .describe('Whether the job changes, deletes or restores contacts, or records their consent.'),
        fields: z.array(z.string()).describe('Names of the fields that the job sets.'),
        addTags: z.array(z.string()).describe('Tags that the job adds.'),
        removeTags: z.array(z.string()).describe('Tags that the job removes.'),
        consent: z
          .object({
            channel: z.enum(channels).describe('Channel of the consent.'),
            state: z.enum(consentStates).describe('State that the job records.'),
          })
          .nullable()
          .describe('The consent that the job records; null for other actions.'),
      })
      .nullable()
      .describe('The bulk change; null for a revert.'),
    progress: z
      .object({
        done: count('processed contacts'),
        total: z.int().nullable().describe('Number of all contacts; null before the job has started.'),
        unit: z.literal('contacts').describe('Unit of the numbers.'),
      })
      .meta({ id: 'ContactJobProgress', description: 'Progress in contacts.' }),
    counts: ContactJobCounts,
    createdBy: AuditActor.describe('Author of the job, and of its changes.'),
    createdAt,
    endedAt: Timestamp.nullable().describe('Time at which the job ended; null before.'),
  })
  .meta({ id: 'ContactJob', description: 'A change of many contacts in the background.' })
export type ContactJob = z.input<typeof ContactJob>

export const keptReasons = ['changed', 'verified', 'used', 'deleted', 'required', 'taken', 'missing', 'invalid'] as const

export const KeptValue = z
  .object({
    contactId: idOutput('ctc'),
    field: z.string().nullable().describe('Name of the field, as in the history; null if the whole contact was kept.'),
    reason: z
      .enum(keptReasons)
      .describe(
        '`changed`, `verified`: by others since. `used`: a created contact has changes, activities, proposals or consents of others, or was merged. `deleted`: the contact was deleted or merged into another one. `required`: the contact would have no email, phone or full name. `taken`: another contact has the former `externalId`. `missing`: the former company or owner does not exist any more. `invalid`: the custom field does not accept the former value any more, or the contact would have more than 50 tags.',
      ),
    changeId: idOutput('chg').nullable().describe('The change in the history that keeps the value; null for other reasons.'),
    createdAt,
  })
  .meta({ id: 'KeptValue', description: 'A value, or a whole contact, that a job has kept.' })
export type KeptValue = z.input<typeof KeptValue>

export const RevertContacts = exactlyOne(
  z.strictObject({
    actorId: authorIdInput.optional().describe('Id of the token or user (`tok_…` or `usr_…`) whose values are reverted.'),
    importId: idInput('imp').optional().describe('Id of the import whose values are reverted.'),
    jobId: idInput('job').optional().describe('Id of the bulk change to revert.'),
    since: boundInput.optional().describe('Only changes at or after this time.'),
    dryRun: z.boolean().default(false).describe('true changes nothing and only counts the results.'),
  }),
  ['actorId', 'importId', 'jobId'],
  { field: 'actorId', message: 'is required unless importId or jobId is given' },
).meta({
  id: 'RevertContacts',
  description: 'The changes to revert: those of a token, a user, an import or a bulk change.',
  examples: [{ actorId: 'tok_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8', since: '2026-05-25T20:14:00Z', dryRun: true }],
})
export type RevertContacts = z.output<typeof RevertContacts>

/** Maximum number of ids of a bulk change. */
export const maxBulkIds = 1000

const bulkFields = contactFields
  .pick({
    jobTitle: true,
    address: true,
    language: true,
    timeZone: true,
    ownerId: true,
    doNotContact: true,
    source: true,
    customFields: true,
    companyId: true,
  })
  .meta({ id: 'BulkFields', description: 'Values that all contacts get. null clears a field.' })
export type BulkFields = z.output<typeof bulkFields>

/** Actions of a bulk change that stand alone, each also without those that follow. */
const aloneActions = ['delete', 'restore', 'recordConsent']

const eachAlone = <S extends z.ZodType>(schema: S): S =>
  aloneActions.reduce(
    (limited, action, at) =>
      [...aloneActions.slice(at + 1), 'set', 'addTags', 'removeTags'].reduce(
        (alone, field) => notWith(alone, action, { field, message: `cannot be combined with ${action}` }),
        limited,
      ),
    schema,
  )

export const BulkChange = someOf(
  eachAlone(
    exactlyOne(
      z.strictObject({
        filter: SearchFilter.optional().describe('Condition on the contacts, with the keys of `POST /v1/contacts/search`.'),
        contactIds: z.array(idInput('ctc')).min(1).max(maxBulkIds).optional().describe(`Ids of the contacts, at most ${maxBulkIds}.`),
        set: bulkFields.optional().describe('Values that all contacts get.'),
        addTags: tagsInput.optional().describe('Tags that all contacts get, besides their own.'),
        removeTags: z.array(tagInput).max(50).optional().describe('Tags that all contacts lose, in any case.'),
        delete: z.literal(true).optional().describe('true deletes the contacts. They can be restored for 30 days.'),
        restore: z.literal(true).optional().describe('true restores deleted contacts.'),
        recordConsent: RecordConsent.optional().describe(
          'Consent that is recorded for all contacts. By default at the time of the request.',
        ),
        dryRun: z.boolean().default(false).describe('true changes nothing and only counts the results.'),
      }),
      ['filter', 'contactIds'],
      { field: 'filter', message: 'is required unless contactIds are given' },
    ),
  ),
  [['set'], ['addTags'], ['removeTags'], ['delete'], ['restore'], ['recordConsent']],
  { field: 'set', message: 'is required unless addTags, removeTags, delete, restore or recordConsent is given' },
).meta({
  id: 'BulkChange',
  description: 'A change of all contacts that meet a filter, or of those with some ids.',
  examples: [{ filter: { key: 'tags', eq: 'fair' }, set: { source: 'fair' }, addTags: ['lead'], dryRun: true }],
})
export type BulkChange = z.output<typeof BulkChange>

const params = z.object({ jobId: idInput('job') })
const ListContactJobs = z.strictObject(pageQuery)
export type ListContactJobs = z.output<typeof ListContactJobs>

export const contactJobs = {
  revert: route({
    method: 'POST',
    path: '/v1/contacts/revert',
    summary: 'Revert the changes of a token, a user, an import or a bulk change',
    description:
      'Gives all values of the author or the import their former ones, in the background. Values that others changed or verified since are kept and listed. Contacts that the author created are deleted; those that others have used stay, with the values of others and an email, phone or full name. Pending suggestions of the author are dismissed. Consents get a new entry with the former state. 403 for an agent’s token. Users without the role `owner` or `admin` can revert their own changes, imports and bulk changes; about others they get 403.',
    scope: 'contacts:write',
    body: RevertContacts,
    status: 201,
    location: '/v1/contact-jobs/{id}',
    reply: ContactJob,
  }),
  bulk: route({
    method: 'POST',
    path: '/v1/contacts/bulk',
    summary: 'Change many contacts',
    description:
      'Sets fields, adds and removes tags, records a consent, deletes or restores contacts in the background. The contacts are chosen when the job starts. `POST /v1/contacts/revert` with the id of the job undoes the change. 403 for an agent’s token.',
    scope: 'contacts:write',
    body: BulkChange,
    status: 201,
    location: '/v1/contact-jobs/{id}',
    reply: ContactJob,
  }),
  list: route({
    method: 'GET',
    path: '/v1/contact-jobs',
    summary: 'List jobs that change many contacts, newest first',
    scope: 'contacts:read',
    query: ListContactJobs,
    status: 200,
    reply: pageOf(ContactJob),
  }),
  get: route({
    method: 'GET',
    path: '/v1/contact-jobs/{jobId}',
    summary: 'Get a job that changes many contacts',
    scope: 'contacts:read',
    params,
    status: 200,
    reply: ContactJob,
  }),
  cancel: route({
    method: 'POST',
    path: '/v1/contact-jobs/{jobId}/cancel',
    summary: 'Cancel a job that changes many contacts',
    description: 'Contacts that were changed before stay changed. 409 if the job has ended.',
    scope: 'contacts:write',
    params,
    status: 200,
    reply: ContactJob,
    errors: ['conflict'],
  }),
  kept: route({
    method: 'GET',
    path: '/v1/contact-jobs/{jobId}/kept',
    summary: 'List the values that a job has kept',
    description: 'Newest first. They are listed for 30 days after the end of the job.',
    scope: 'contacts:read',
    params,
    query: ListContactJobs,
    status: 200,
    reply: pageOf(KeptValue),
  }),
}
