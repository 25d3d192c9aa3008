import { z } from 'zod'
import { clearable, countryInput, text } from './schemas.ts'

/** Maximum number of email addresses, and of phone numbers, of a contact. */
export const maxContactEntries = 20

const asSent = z.string().describe('The value as the client sent it.')
const label = z
  .string()
  .nullable()
  .meta({ description: 'Your own label, such as `work`; null without one.', examples: ['work'] })

export const ContactEmail = z
  .object({ value: z.string().describe('Address in lower case, with its domain in ASCII.'), asSent, label })
  .meta({ id: 'ContactEmail', description: 'An email address of a contact.' })
export type ContactEmail = z.output<typeof ContactEmail>

export const ContactPhone = z
  .object({
    value: z.string().describe('Number in E.164 format, such as `+4930123456`.'),
    asSent,
    label,
    extension: z.string().nullable().describe('Extension, in digits; null without one.'),
  })
  .meta({ id: 'ContactPhone', description: 'A phone number of a contact.' })
export type ContactPhone = z.output<typeof ContactPhone>

export const PostalAddress = z
  .object({
    street: z.string().nullable().describe('Street and number, with line breaks; null if unknown.'),
    city: z.string().nullable().describe('City; null if unknown.'),
    postalCode: z.string().nullable().describe('Postal code; null if unknown.'),
    region: z.string().nullable().describe('State, province or county; null if unknown.'),
    country: z.string().nullable().describe('Country (ISO 3166-1 alpha-2); null if unknown.'),
  })
  .meta({ id: 'PostalAddress', description: 'A postal address.' })
export type PostalAddress = z.output<typeof PostalAddress>

export const contactWarningCodes = ['did_you_mean', 'unassigned_number'] as const

export const ContactWarning = z
  .object({
    code: z
      .enum(contactWarningCodes)
      .describe(
        '`did_you_mean`: the domain of an email address looks mistyped. `unassigned_number`: a phone number has a possible length, but belongs to no known range.',
      ),
    field: z.string().meta({ description: 'Path of the value in the request, such as `emails.1.value`.', examples: ['email'] }),
    message: z.string().meta({ description: 'Explanation for people.', examples: ['Did you mean ada@gmail.com?'] }),
    suggestion: z.string().nullable().describe('The value that was probably meant; null without one.'),
  })
  .meta({ id: 'ContactWarning', description: 'A value that was stored although it is probably wrong.' })
export type ContactWarning = z.output<typeof ContactWarning>

/** An email address of a contact. The server checks and normalizes it (server/contacts/emails.ts). */
export const contactEmailInput = text(3, 254).meta({ format: 'idn-email', examples: ['reception@example.com'] })

/** A phone number of a contact. The server checks and normalizes it (server/contacts/phones.ts). */
export const contactPhoneInput = text(3, 60).meta({
  examples: ['+4930123456', '+49 (0)30 123456', '+44 20 7946 0018 ext. 12'],
})

const ignoredAsSent = text(0, 254)
  .optional()
  .describe('Ignored, so that entries can be sent back as they were read: an unchanged `value` keeps it.')
export const maxLabelLength = 40
const labelInput = clearable(text(1, maxLabelLength)).describe('Your own label, such as `work`.')

const ContactEmailInput = z
  .strictObject({
    value: contactEmailInput.describe('Email address. It is stored in lower case, with its domain in ASCII.'),
    label: labelInput,
    asSent: ignoredAsSent,
  })
  .meta({
    id: 'ContactEmailInput',
    description: 'An email address of a contact.',
    examples: [{ value: 'ada@example.com', label: 'work' }],
  })
export type ContactEmailInput = z.output<typeof ContactEmailInput>

const ContactPhoneInput = z
  .strictObject({
    value: contactPhoneInput.describe('Phone number. It is stored as E.164, an extension in it apart.'),
    label: labelInput,
    extension: clearable(text(1, 12).regex(/^\d+$/, 'must consist of digits').meta({ pattern: '^[0-9]+$' })).describe(
      'Extension. Without it, an extension in `value` counts.',
    ),
    asSent: ignoredAsSent,
  })
  .meta({ id: 'ContactPhoneInput', description: 'A phone number of a contact.', examples: [{ value: '+4930123456', label: 'work' }] })
export type ContactPhoneInput = z.output<typeof ContactPhoneInput>

export const emailsInput = z.array(ContactEmailInput).max(maxContactEntries)
export const phonesInput = z.array(ContactPhoneInput).max(maxContactEntries)

export const addressInput = z
  .strictObject({
    street: clearable(text(1, 300)).describe('Street and number, with line breaks.'),
    city: clearable(text(1, 120)).describe('City.'),
    postalCode: clearable(text(1, 20)).describe('Postal code.'),
    region: clearable(text(1, 120)).describe('State, province or county.'),
    country: clearable(countryInput).describe('Country (ISO 3166-1 alpha-2).'),
  })
  .meta({
    id: 'PostalAddressInput',
    description: 'A postal address. Omitted parts are unknown; without any part, it is null.',
    examples: [{ city: 'Berlin', country: 'DE' }],
  })
export type PostalAddressInput = z.output<typeof addressInput>

/** Fields whose values have a history, besides custom fields. `email` and `phone` are the first ones of the lists. */
export const historyFields = [
  'externalId',
  'firstName',
  'lastName',
  'emails',
  'phones',
  'jobTitle',
  'address',
  'language',
  'timeZone',
  'ownerId',
  'doNotContact',
  'companyId',
  'tags',
  'source',
] as const

/** Name of a field in the history. */
export type HistoryField = (typeof historyFields)[number] | `customFields.${string}`

/** How values come about. Clients name the first four. */
export const changeOrigins = ['typed', 'heard', 'imported', 'api', 'merged', 'reverted', 'verified'] as const

export const provenanceInput = z
  .strictObject({
    how: z
      .enum(['typed', 'heard', 'imported', 'api'])
      .optional()
      .describe('Origin of the values: `typed` for users by default, else `api`.'),
    reference: clearable(text(1, 200)).describe('Your own reference, such as the id of a call.'),
  })
  .meta({
    id: 'Provenance',
    description: 'Where the values of a request come from. `GET /v1/contacts/{id}/history` shows it.',
    examples: [{ how: 'heard', reference: 'call-8f2c' }],
  })
export type Provenance = z.output<typeof provenanceInput>
