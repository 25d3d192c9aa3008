import { z } from 'zod'
import { someOf } from './field-rules.ts'
import { route } from './route.ts'
import { clearable, idInput, idOutput, pageQuery, queryBoolean, queryTime, text, Timestamp } from './schemas.ts'

export const Contact = z
  .object({
    id: idOutput('ctc'),
    externalId: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    companyId: z.string().nullable(),
    tags: z.array(z.string()),
    customFields: z.record(z.string(), z.unknown()),
    source: z.string().nullable(),
    lastInteractionAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Contact' })
export type Contact = z.input<typeof Contact>

const email = text(3, 254)
  .meta({ format: 'email', pattern: z.regexes.email.source, examples: ['reception@example.com'] })
  .transform((value) => value.toLowerCase())
  .pipe(z.email())
const phone = text(3, 30)
  .meta({
    description: 'International format with a leading plus sign, of a number that exists; kept as E.164',
    pattern: String.raw`^\+[1-9](?:[ ().-]*\d){6,14}[ ().-]*$`,
    examples: ['+4930123456', '+49 (0)30 123456'],
  })
  .transform((value) => value.replace(/[\s().-]/g, ''))
  .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be an international number with a leading plus sign (E.164)'))
const tags = z
  .array(text(1, 60))
  .max(50)
  .transform((values) => [...new Set(values)])

const fields = z.strictObject({
  externalId: clearable(text(1, 200)),
  firstName: clearable(text(1, 120)),
  lastName: clearable(text(1, 120)),
  email: clearable(email),
  phone: clearable(phone),
  tags: clearable(tags),
  source: clearable(text(1, 120)),
})
const identity = [['email'], ['phone'], ['firstName', 'lastName']]
const noIdentity = { field: 'email', message: 'is required unless there is a phone, or a firstName with a lastName' }

export const CreateContact = someOf(fields, identity, noIdentity).meta({
  id: 'CreateContact',
  description: 'One of email, phone, or firstName with lastName is required.',
  examples: [{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+442079460018', tags: ['vip'] }],
})
export type CreateContact = z.output<typeof CreateContact>

export const UpdateContact = fields.meta({
  id: 'UpdateContact',
  description: 'One of email, phone, or firstName with lastName has to stay.',
  examples: [{ phone: null, tags: ['vip', 'autumn'] }],
})
export type UpdateContact = z.output<typeof UpdateContact>

const params = z.object({ id: idInput('ctc') })

const ListContacts = z.strictObject({
  ...pageQuery,
  q: text(1, 200).optional().meta({
    description:
      'Every word must be in a name, the e-mail address or the phone number; punctuation and accents are ignored. The best match comes first: exact ones, whole words, beginnings of words, parts of words. Where no contact has all words, one or two typing errors in each are forgiven.',
  }),
  tag: z
    .union([text(1, 60), z.array(text(1, 60)).max(20)])
    .transform((value) => (Array.isArray(value) ? value : [value]))
    .optional()
    .meta({ description: 'Repeat it to ask for contacts that carry all of several tags.' }),
  // An unescaped plus sign arrives as a space, in a phone number trimmed away; neither value can have a space of its own.
  email: text(1, 254)
    .transform((value) => value.toLowerCase().replaceAll(' ', '+'))
    .optional(),
  phone: text(1, 30)
    .transform((value) => `+${value.replace(/[\s().+-]/g, '')}`)
    .optional(),
  externalId: text(1, 200).optional(),
  createdAfter: queryTime.optional().meta({ description: 'Created at this time or later' }),
  createdBefore: queryTime.optional().meta({ description: 'Created before this time' }),
  count: queryBoolean.optional().meta({ description: 'true: answer X-Total-Count as well' }),
})
export type ListContacts = z.output<typeof ListContacts>

export const contacts = {
  list: route({
    method: 'GET',
    path: '/v1/contacts',
    summary: 'List contacts',
    description: 'A bare array, newest first; with q the best match first. The address of the next page is in the Link header.',
    scope: 'contacts:read',
    query: ListContacts,
    status: 200,
    reply: z.array(Contact),
    headers: {
      Link: 'The address of the next page, rel="next"; absent on the last one.',
      'X-Next-Cursor': 'The cursor of the next page; absent on the last one.',
      'X-Total-Count': 'How many contacts match; only with count=true.',
    },
  }),
  create: route({
    method: 'POST',
    path: '/v1/contacts',
    summary: 'Create a contact',
    description: 'One of email, phone, or firstName with lastName must be present.',
    scope: 'contacts:write',
    body: CreateContact,
    status: 201,
    reply: Contact,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: '/v1/contacts/{id}',
    summary: 'Get a contact',
    scope: 'contacts:read',
    params,
    status: 200,
    reply: Contact,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/contacts/{id}',
    summary: 'Change a contact',
    description: 'An absent field keeps its value, null clears it, tags replace the former ones.',
    scope: 'contacts:write',
    params,
    body: UpdateContact,
    status: 200,
    reply: Contact,
    errors: ['conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/contacts/{id}',
    summary: 'Delete a contact',
    description: 'Hidden everywhere at once; can be restored for 30 days.',
    scope: 'contacts:write',
    params,
    status: 204,
  }),
  restore: route({
    method: 'POST',
    path: '/v1/contacts/{id}/restore',
    summary: 'Restore a deleted contact',
    scope: 'contacts:write',
    params,
    status: 200,
    reply: Contact,
    errors: ['conflict'],
  }),
}
