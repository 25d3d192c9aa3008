import { z } from 'zod'
import { ContactWarning } from './contact-values.ts'
import { ContactSuggestion } from './contact-suggestion.ts'
import { Contact, contactFields } from './contacts.ts'
import { ErrorReply } from './errors.ts'
import { withRule } from './field-rules.ts'
import { route } from './route.ts'

const matchOn = z
  .enum(['email', 'phone', 'externalId'])
  .describe('Field that finds the contact. `email` and `phone` compare all addresses or numbers of the request with all of each contact.')
export type MatchOn = z.output<typeof matchOn>

/** The fields that can have the value of each way to match. */
const matchFields: Readonly<Record<MatchOn, readonly string[]>> = {
  email: ['email', 'emails'],
  phone: ['phone', 'phones'],
  externalId: ['externalId'],
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)

const upsertRules = {
  anyOf: Object.entries(matchFields).flatMap(([field, names]) =>
    names.map((name) => ({
      required: [name],
      properties: { matchOn: { const: field }, [name]: { not: { enum: [null, []] } } },
    })),
  ),
}

export const UpsertContact = withRule(z.strictObject({ matchOn, ...contactFields.shape }), upsertRules, (fields) => {
  const field = fields['matchOn'] as MatchOn
  return matchFields[field].some((name) => isGiven(fields[name])) ? [] : [{ field, message: 'is required, because matchOn names it' }]
}).meta({
  id: 'UpsertContact',
  description: 'A contact that is created, or changed if it exists.',
  examples: [{ matchOn: 'email', email: 'ada@example.com', lastName: 'Lovelace', tags: ['newsletter'] }],
})
export type UpsertContact = z.output<typeof UpsertContact>

const UpsertedContact = z
  .object({ ...Contact.shape, created: z.boolean().describe('Whether the request created the contact.') })
  .meta({ id: 'UpsertedContact', description: 'The contact after an upsert.' })
export type UpsertedContact = z.input<typeof UpsertedContact>

export const maxBatch = 500

/** Each contact is checked alone, so that an invalid one does not fail the others. */
const batchItem = z.unknown()

const BatchContacts = z
  .strictObject({
    matchOn,
    contacts: z
      .array(batchItem)
      .min(1)
      .max(maxBatch)
      .describe(`Up to ${maxBatch} contacts with the fields of \`POST /v1/contacts/upsert\`, without \`matchOn\`.`),
  })
  .meta({
    id: 'BatchContacts',
    description: 'Contacts that are created, or changed if they exist.',
    examples: [{ matchOn: 'email', contacts: [{ email: 'ada@example.com', firstName: 'Ada' }, { email: 'grace@example.com' }] }],
  })
export type BatchContacts = z.output<typeof BatchContacts>

const BatchResult = z
  .object({
    status: z
      .union([z.literal(200), z.literal(201), z.literal(409), z.literal(422)])
      .describe('HTTP status that this contact alone would have got: 201 created, 200 changed or unchanged, 409 or 422 refused.'),
    created: z.boolean().describe('Whether the contact was created.'),
    contact: Contact.omit({ warnings: true, suggestions: true }).nullable().describe('The contact afterwards; null if it was refused.'),
    warnings: z.array(ContactWarning).describe('Values that were stored although they are probably wrong.'),
    suggestions: z.array(ContactSuggestion).describe('Values that were not stored because a person typed or verified the present ones.'),
    error: ErrorReply.shape.error.omit({ requestId: true }).nullable().describe('Reason of a refusal; null otherwise.'),
  })
  .meta({ id: 'BatchResult', description: 'Result for one contact of a batch.' })
export type BatchResult = z.input<typeof BatchResult>

export const contactUpserts = {
  upsert: route({
    method: 'POST',
    path: '/v1/contacts/upsert',
    summary: 'Create a contact, or change the one with the same address, number or externalId',
    answer: 'The created or changed contact.',
    description:
      'Given fields replace the former ones, and null clears a field. `tags`, `emails` and `phones` are added to the former ones. Parallel requests with the same value create one contact. A contact that has all values already is not changed and emits no event. 409 with `candidates` if several contacts match.',
    scope: 'contacts:write',
    body: UpsertContact,
    status: 200,
    reply: UpsertedContact,
    errors: ['conflict'],
  }),
  batch: route({
    method: 'POST',
    path: '/v1/contacts/batch',
    summary: 'Create or change up to 500 contacts',
    answer: 'The result of each contact, in the order of the request.',
    description:
      'Does the same as `POST /v1/contacts/upsert` for each of the contacts, in much less time. One that is refused does not fail the others.',
    scope: 'contacts:write',
    body: BatchContacts,
    status: 200,
    reply: z.object({ data: z.array(BatchResult).describe('One result for each contact, in the order of the request.') }),
  }),
}
