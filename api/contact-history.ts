import { z } from 'zod'
import { AuditActor } from './actor.ts'
import { Contact } from './contacts.ts'
import { changeOrigins, historyFields, type HistoryField } from './contact-values.ts'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, pageOf, pageQuery } from './schemas.ts'

const fieldPattern = `^(?:${historyFields.join('|')}|customFields\\.fld_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`
const field = z
  .string()
  .regex(new RegExp(fieldPattern), 'must be a field of contacts, such as jobTitle or customFields.fld_<uuid>')
  .transform((name) => name as HistoryField)
const fieldName = z.string().meta({
  description:
    'Name of the field. Changes of `email` and `phone` are those of `emails` and `phones`; a custom field is `customFields.` and its id.',
  examples: ['jobTitle'],
})

export const ContactChange = z
  .object({
    id: idOutput('chg'),
    contactId: idOutput('ctc'),
    how: z
      .enum(changeOrigins)
      .describe(
        '`typed`: by a person; `heard`: in a conversation; `imported`, `api`: by a program; `merged`: from another contact; `reverted`: a former value again; `verified`: nothing changed, but a person confirmed the fields.',
      ),
    reference: z.string().nullable().describe('Reference that the client named, such as the id of a call; null without one.'),
    changes: z
      .array(
        z.object({
          field: fieldName,
          from: z.unknown().describe('Former value; null without one.'),
          to: z.unknown().describe('New value; null if the field was cleared.'),
        }),
      )
      .describe('The changed fields.'),
    verified: z.array(z.string()).describe('The fields that were confirmed.'),
    createdBy: AuditActor.describe('Author of the change.'),
    createdAt,
  })
  .meta({ id: 'ContactChange', description: 'A change of a contact, with the origin of its values.' })
export type ContactChange = z.input<typeof ContactChange>

const ContactHistory = z.strictObject({
  ...pageQuery,
  field: field.optional().describe('Only changes of this field.'),
})
export type ContactHistory = z.output<typeof ContactHistory>

/** More than a contact has with all custom fields. */
const maxFields = 250

const fields = z
  .array(field)
  .min(1)
  .max(maxFields)
  .transform((names) => [...new Set(names)])

const VerifyContact = z
  .strictObject({ fields: fields.describe('The confirmed fields.') })
  .meta({ id: 'VerifyContact', description: 'Fields whose values a person has confirmed.', examples: [{ fields: ['phones', 'jobTitle'] }] })
export type VerifyContact = z.output<typeof VerifyContact>

const RevertContact = z
  .strictObject({ fields: fields.describe('The fields that get the value before their latest change.') })
  .meta({ id: 'RevertContact', description: 'Fields that get their former values again.', examples: [{ fields: ['jobTitle'] }] })
export type RevertContact = z.output<typeof RevertContact>

const params = z.object({ id: idInput('ctc') })

export const contactHistory = {
  history: route({
    method: 'GET',
    path: '/v1/contacts/{id}/history',
    summary: 'List the changes of a contact, newest first',
    description: 'Each change names its fields with their former and new values, its author, and the origin of the values.',
    scope: 'contacts:read',
    params,
    query: ContactHistory,
    status: 200,
    reply: pageOf(ContactChange),
  }),
  verify: route({
    method: 'POST',
    path: '/v1/contacts/{id}/verify',
    summary: 'Confirm values of a contact',
    description: 'Adds the confirmation to the history, with its author and time. The contact does not change.',
    scope: 'contacts:write',
    params,
    body: VerifyContact,
    status: 200,
    reply: Contact,
  }),
  revert: route({
    method: 'POST',
    path: '/v1/contacts/{id}/revert',
    summary: 'Revert fields of a contact',
    description:
      'Each field gets the value that it had before its latest change in the history. A second request undoes the first one. 409 if a field has no change, if another contact has the former `externalId`, or if the contact changed at the same time.',
    scope: 'contacts:write',
    params,
    body: RevertContact,
    status: 200,
    reply: Contact,
    errors: ['conflict'],
  }),
}
