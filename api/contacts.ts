import { z } from 'zod'
import { Consent } from './consent-states.ts'
import { ContactErasure, EraseContact } from './contact-erasure.ts'
import { ContactSuggestion } from './contact-suggestion.ts'
import {
  addressInput,
  ContactEmail,
  contactEmailInput,
  ContactPhone,
  contactPhoneInput,
  ContactWarning,
  emailsInput,
  phonesInput,
  provenanceInput,
  PostalAddress,
} from './contact-values.ts'
import { customFieldFilter, customFieldsInput } from './custom-fields.ts'
import { documented, someOf } from './field-rules.ts'
import { route } from './route.ts'
import {
  clearable,
  createdAt,
  idInput,
  idOutput,
  languageTag,
  pageOf,
  pageQuery,
  queryBoolean,
  queryPhone,
  onlyInChanges,
  queryTime,
  text,
  Timestamp,
  timeZoneInput,
  updatedAt,
} from './schemas.ts'

export const Contact = z
  .object({
    id: idOutput('ctc'),
    externalId: z.string().nullable().describe('Your own id of the contact, unique in the organization; null without one.'),
    firstName: z.string().nullable().describe('First name; null if unknown.'),
    lastName: z.string().nullable().describe('Last name; null if unknown.'),
    email: z
      .string()
      .nullable()
      .describe('Email address in lower case: the first one of `emails`; null if unknown. Several contacts can share one.'),
    emails: z.array(ContactEmail).describe('All email addresses, the main one first.'),
    phone: z
      .string()
      .nullable()
      .describe('Phone number in E.164 format, such as `+4930123456`: the first one of `phones`; null if unknown.'),
    phones: z.array(ContactPhone).describe('All phone numbers, the main one first.'),
    jobTitle: z.string().nullable().describe('Position at work; null if unknown.'),
    address: PostalAddress.nullable().describe('Postal address; null if unknown.'),
    language: z
      .string()
      .nullable()
      .meta({ description: 'Preferred language (BCP 47); null if unknown.', examples: ['pt-BR'] }),
    timeZone: z
      .string()
      .nullable()
      .meta({ description: 'Time zone (IANA name); null if unknown.', examples: ['Europe/Berlin'] }),
    ownerId: idOutput('usr').nullable().describe('Id of the member responsible for the contact: `usr_` and a UUID; null without one.'),
    doNotContact: z.boolean().describe('Whether the person does not want to be contacted.'),
    companyId: idOutput('co').nullable().describe('Id of the company: `co_` and a UUID; null without one.'),
    tags: z.array(z.string()).describe('Labels of your choice, for filtering. Unique within the contact, in any case.'),
    customFields: z
      .record(z.string(), z.unknown())
      .describe('Values of custom fields by the id of the field: `fld_` and a UUID. Fields without a value are absent.'),
    source: z.string().nullable().describe('Origin of the contact in your own words, such as `website`; null if unknown.'),
    consent: Consent.nullable().describe(
      'Present consent for each channel; null in events without content, and in those of former versions of the service.',
    ),
    lastInteractionAt: Timestamp.nullable().describe(
      'Time of the latest call, email, message or meeting in the activities of the contact: UTC with milliseconds (ISO 8601); null without one.',
    ),
    mergedIds: z
      .array(idOutput('ctc'))
      .nullable()
      .describe(
        'Ids of the contacts that were merged into this one: `ctc_` and a UUID. They lead to it. Null in events without content, and in those of former versions of the service.',
      ),
    createdAt,
    updatedAt,
    warnings: z
      .array(ContactWarning)
      .optional()
      .describe('Values that were stored although they are probably wrong. Only in answers to changes, and only if there are any.')
      .register(onlyInChanges),
    suggestions: z
      .array(ContactSuggestion)
      .optional()
      .describe('Values that were not stored because a person typed or verified the present ones. Only in answers to changes by an agent.')
      .register(onlyInChanges),
  })
  .meta({ id: 'Contact', description: 'A person that the organization deals with.' })
export type Contact = z.input<typeof Contact>

/** An email address in requests, parsed to lower case. */
export const emailInput = text(3, 254)
  .meta({
    format: 'email',
    pattern: z.regexes.email.source,
    examples: ['reception@example.com'],
  })
  .transform((value) => value.toLowerCase())
  .pipe(z.email())
/** A phone number in requests, parsed to digits with a leading plus sign. */
export const phoneInput = text(3, 30)
  .meta({
    pattern: String.raw`^\+[1-9](?:[ ().-]*\d){6,14}[ ().-]*$`,
    examples: ['+4930123456', '+49 (0)30 123456'],
  })
  .transform((value) => value.replace(/[\s().-]/g, ''))
  .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be an international number with a leading plus sign (E.164)'))
/** A label in requests. */
export const tagInput = text(1, 60)
/** Maximum number of tags of a record. */
export const maxTags = 50

/** Returns a tag as tags are compared: in lower case as the database writes it, each letter by itself. `toLowerCase` would write "ΚΩΔΙΚΟΣ" with ς. */
export const lowerTag = (tag: string): string =>
  /^[\0-\x7f]*$/.test(tag) ? tag.toLowerCase() : Array.from(tag, (letter) => (letter === 'İ' ? 'i' : letter.toLowerCase())).join('')

/** Labels in requests. Of those that differ only in case, the first one stays. */
export const tagsInput = z
  .array(tagInput)
  .max(maxTags)
  .transform((tags) => {
    const lower = tags.map(lowerTag)
    return tags.filter((_, at) => lower.indexOf(lower[at] ?? '') === at)
  })

/** The fields of a contact in requests. */
export const contactFields = z.strictObject({
  externalId: clearable(text(1, 200)).describe('Your own id of the contact, unique in the organization. null clears it.'),
  firstName: clearable(text(1, 120)).describe('First name. null clears it.'),
  lastName: clearable(text(1, 120)).describe('Last name. null clears it.'),
  email: clearable(contactEmailInput).describe(
    'Main email address; it is stored in lower case, with its domain in ASCII. It replaces the first one of `emails` and keeps the others; together with `emails`, it must be the first one. null removes all addresses.',
  ),
  emails: clearable(emailsInput).describe(
    'All email addresses, the main one first; at most 20. They replace the former ones; null removes all. Duplicates are dropped.',
  ),
  phone: clearable(contactPhoneInput).describe(
    "Main phone number, in international format with a leading plus sign or in the national format of the organization's country; it is stored as E.164. It replaces the first one of `phones` and keeps the others; together with `phones`, it must be the first one. null removes all numbers.",
  ),
  phones: clearable(phonesInput).describe(
    'All phone numbers, the main one first; at most 20. They replace the former ones; null removes all. Duplicates are dropped.',
  ),
  jobTitle: clearable(text(1, 120)).describe('Position at work. null clears it.'),
  address: clearable(addressInput).describe('Postal address, which replaces the former one as a whole. null clears it.'),
  language: clearable(languageTag).describe('Preferred language (BCP 47). null clears it.'),
  timeZone: clearable(timeZoneInput).meta({ description: 'Time zone (IANA name). null clears it.', examples: ['Europe/Berlin'] }),
  ownerId: clearable(idInput('usr')).describe('Id of the member responsible for the contact. null clears it.'),
  doNotContact: clearable(z.boolean()).describe('Whether the person does not want to be contacted. null means false.'),
  tags: clearable(tagsInput).describe(
    'Labels of your choice, at most 50. They replace the former ones; null removes all. Duplicates are dropped.',
  ),
  source: clearable(text(1, 120)).describe('Origin of the contact in your own words, such as `website`. null clears it.'),
  customFields: customFieldsInput.describe(
    'Values of custom fields by the id of the field. Omitted fields keep their values; null clears one, or all.',
  ),
  companyId: clearable(idInput('co')).describe('Id of the company that the contact belongs to. null clears it.'),
  provenance: provenanceInput.optional(),
})
export type ContactFields = z.output<typeof contactFields>

const identity = [['email'], ['phone'], ['emails'], ['phones'], ['firstName', 'lastName']]
const noIdentity = { field: 'email', message: 'is required unless phone, or firstName and lastName, are given' }

export const CreateContact = someOf(contactFields, identity, noIdentity).meta({
  id: 'CreateContact',
  description: 'A new contact. An email address, a phone number, or both `firstName` and `lastName` are required.',
  examples: [{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+442079460018', tags: ['vip'] }],
})
export type CreateContact = z.output<typeof CreateContact>

const cleared = (...names: string[]): object => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'null' }])),
})
const clearsIdentity = { anyOf: [cleared('email', 'phone', 'firstName'), cleared('email', 'phone', 'lastName')] }

export const UpdateContact = documented(contactFields, { not: clearsIdentity }).meta({
  id: 'UpdateContact',
  description:
    'Changes to a contact. Omitted fields keep their values. The contact must still have `email`, `phone`, or both `firstName` and `lastName` afterwards.',
  examples: [{ phone: null, tags: ['vip', 'autumn'] }],
})
export type UpdateContact = z.output<typeof UpdateContact>

const params = z.object({ id: idInput('ctc') })

export const contactSorts = [
  'createdAt',
  '-createdAt',
  'updatedAt',
  '-updatedAt',
  'lastInteractionAt',
  '-lastInteractionAt',
  'name',
  '-name',
] as const
export type ContactSort = (typeof contactSorts)[number]

const ListContacts = z.strictObject({
  ...pageQuery,
  cursor: text(1, 2000)
    .optional()
    .meta({ description: '`X-Next-Cursor` of the previous page. Without it, the list starts at the first contact.' }),
  sort: z
    .enum(contactSorts)
    .optional()
    .describe(
      'Order of the list; `-` means descending. `name` is the last name and then the first name, without regard to case and accents. A contact without an interaction counts as the earliest. `-createdAt` by default. Not with `q`, which has an order of its own.',
    ),
  q: text(1, 200).optional().meta({
    description:
      'Search text: words of the name, the email address or the phone number, in any order and script. Case, accents and punctuation are ignored; a name in another script is also found by its Latin spelling, and a number as it is written in its country or by some of its digits. Whole names, addresses and numbers come first, then all words, words in another script, word beginnings and parts of words, and last, unless five contacts have all words, names that are similar except for a typing error or another spelling.',
  }),
  tag: z
    .union([text(1, 60), z.array(text(1, 60)).max(20)])
    .transform((value) => (Array.isArray(value) ? value : [value]))
    .optional()
    .meta({ description: 'Only contacts with this tag, in any case. Repeat the parameter for contacts with all of several tags.' }),
  // An unescaped plus sign arrives as a space, which no address contains.
  email: text(1, 254)
    .transform((value) => value.replaceAll(' ', '+'))
    .optional()
    .meta({
      description: 'Only contacts with exactly this email address, as it was sent or is stored, in any case, among their `emails`.',
      examples: ['reception@example.com'],
    }),
  phone: queryPhone.optional().meta({
    description:
      "Only contacts with exactly this phone number among their `phones`, in international form or as it is written in the organization's country. An extension is ignored.",
    examples: ['+4930123456'],
  }),
  externalId: text(1, 200).optional().meta({ description: 'Only the contact with this id of your own.' }),
  companyId: idInput('co').optional().describe('Only contacts of this company.'),
  customField: customFieldFilter,
  createdAfter: queryTime.optional().meta({ description: 'Only contacts created at or after this time.' }),
  createdBefore: queryTime.optional().meta({ description: 'Only contacts created before this time.' }),
  count: queryBoolean.optional().meta({ description: 'true adds the header `X-Total-Count`. Counting takes longer than reading a page.' }),
})
export type ListContacts = z.output<typeof ListContacts>

export const DeletedContact = z
  .object({
    id: idOutput('ctc'),
    firstName: z.string().nullable().describe('First name; null if unknown.'),
    lastName: z.string().nullable().describe('Last name; null if unknown.'),
    email: z.string().nullable().describe('Main email address; null without one.'),
    phone: z.string().nullable().describe('Main phone number (E.164); null without one.'),
    deletedAt: Timestamp.describe('Time of the deletion: UTC with milliseconds (ISO 8601).'),
    restorableUntil: Timestamp.describe('Time after which the contact is purged: UTC with milliseconds (ISO 8601).'),
  })
  .meta({ id: 'DeletedContact', description: 'A deleted contact that can be restored.' })
export type DeletedContact = z.input<typeof DeletedContact>

const ListDeletedContacts = z.strictObject({
  ...pageQuery,
  q: text(1, 200).optional().describe('Only contacts whose names, email address or phone number contain all words of this text.'),
})
export type ListDeletedContacts = z.output<typeof ListDeletedContacts>

export const contacts = {
  list: route({
    method: 'GET',
    path: '/v1/contacts',
    summary: 'List contacts',
    description:
      'Returns a bare array, newest first unless `sort` is given; with `q`, the best match comes first. The URL of the next page is in the `Link` header. A cursor belongs to its `sort`.',
    scope: 'contacts:read',
    query: ListContacts,
    status: 200,
    reply: z.array(Contact),
    headers: {
      Link: 'URL of the next page with rel="next"; absent on the last page.',
      'X-Next-Cursor': 'Value of `cursor` for the next page; absent on the last page.',
      'X-Total-Count': 'Number of contacts that match the filters; only with count=true.',
    },
  }),
  create: route({
    method: 'POST',
    path: '/v1/contacts',
    summary: 'Create a contact',
    description:
      'An email address, a phone number, or both `firstName` and `lastName` are required. 409 if another contact has the `externalId`.',
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
    summary: 'Update a contact',
    description:
      'Omitted fields keep their values, and null clears a field. `tags` replace the former ones. 409 if another contact has the `externalId`.',
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
    description:
      'The contact disappears from all lists at once, and its pending proposals are voided shortly afterwards. It can be restored for 30 days; its proposals stay voided.',
    scope: 'contacts:write',
    params,
    status: 204,
  }),
  erase: route({
    method: 'POST',
    path: '/v1/contacts/{id}/erase',
    summary: 'Erase a contact',
    description:
      'Removes the personal data of the contact everywhere, in one transaction and for good, and returns a receipt. Pending proposals of the contact are voided first; completed ones are kept. Contacts that were merged into it are erased with it; 409 for one of them alone. 403 with a token that is limited to some knowledge bases, since it cannot reach the log of all searches.',
    scope: 'contacts:write',
    params,
    body: EraseContact,
    bodyOptional: true,
    status: 200,
    reply: ContactErasure,
    errors: ['forbidden', 'conflict'],
  }),
  deleted: route({
    method: 'GET',
    path: '/v1/contacts/deleted',
    summary: 'List deleted contacts that can be restored',
    description:
      'The ones of the last 30 days, the last deleted first; contacts that were merged into another one are not among them. Needs the scope to restore them; 403 for an agent’s token.',
    scope: 'contacts:write',
    query: ListDeletedContacts,
    status: 200,
    reply: pageOf(DeletedContact),
    errors: ['forbidden'],
  }),
  restore: route({
    method: 'POST',
    path: '/v1/contacts/{id}/restore',
    summary: 'Restore a deleted contact',
    description:
      'Possible for 30 days after the deletion. 409 if another contact has taken the `externalId` since, or if the contact was merged into another one.',
    scope: 'contacts:write',
    params,
    status: 200,
    reply: Contact,
    errors: ['conflict'],
  }),
}
