import { z } from 'zod'
import { emailAddress, OwnOrganization } from './people.ts'
import { regionFields } from './region.ts'
import { route } from './route.ts'
import { countryInput, createdAt, currencyInput, idOutput, text, timeZoneInput, wholeNumber } from './schemas.ts'
import { storageUrl } from './new-source.ts'
import { imageFields, markdownInput } from './proposal-sections.ts'

/** Languages of the texts that clients of an organization read: proposals and their emails. */
export const clientLanguages = ['en', 'de', 'fr', 'es'] as const
export type ClientLanguage = (typeof clientLanguages)[number]

/** Path segments that URLs of the dashboard use for other pages. */
const reservedSlugs = ['sign-in', 'setup', 'account', 'organizations', 'invitation', 'forgot-password', 'reset-password', 'assets']

const slug = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must consist of lower-case letters and digits in words separated by single hyphens')
  .refine((value) => !reservedSlugs.includes(value), 'is reserved')
  .meta({
    description: 'Short name in URLs of the dashboard: lower-case letters, digits and single hyphens. Unique; at most 60 characters.',
    minLength: 1,
    not: { enum: reservedSlugs },
  })

const quotaUse = (unit: string, example: number) =>
  z.object({
    used: z.int().meta({ description: `${unit} in use.`, examples: [example] }),
    limit: z
      .int()
      .nullable()
      .meta({ description: 'Quota, which the operator sets; null for no limit.', examples: [2 * example] }),
  })

const Usage = z
  .object({
    storageBytes: quotaUse('Bytes', 5_000_000_000).describe(
      'Bytes of files: uploads, which count from their start until they are deleted, and files that were fetched from URLs. Texts and vectors that are made of them do not count.',
    ),
    chunks: quotaUse('Chunks', 1_000_000).describe('Searchable chunks of all sources.'),
    sources: quotaUse('Sources', 25_000).describe('Sources of all knowledge bases.'),
  })
  .meta({
    id: 'Usage',
    description: 'Resources that an organization uses, with their quotas. A request that would exceed a quota fails with `quota_exceeded`.',
  })
export type Usage = z.output<typeof Usage>

export const Organization = z
  .object({
    id: idOutput('org'),
    name: z.string().describe('Name of the organization.'),
    slug: z.string().meta({ description: 'Short name in URLs of the dashboard. Unique.', examples: ['example-ltd'] }),
    defaultCurrency: z.string().meta({ description: 'Currency of proposals without one (ISO 4217).', examples: ['EUR'] }),
    legalName: z.string().nullable().describe('Name in proposals and their emails; null means that they show `name`.'),
    address: z.string().nullable().describe('Postal address in proposals, with line breaks; null if unknown.'),
    taxId: z.string().nullable().describe('Tax or VAT number in proposals; null if unknown.'),
    country: z
      .string()
      .nullable()
      .meta({ description: 'Country of the organization (ISO 3166-1 alpha-2); null if unknown.', examples: ['DE'] }),
    color: z
      .string()
      .nullable()
      .meta({ description: 'Color of buttons and headings in proposals (`#rrggbb`); null for the default.', examples: ['#1f5f8b'] }),
    language: z.enum(clientLanguages).describe('Language of proposals and their emails to recipients without a language of their own.'),
    timeZone: z.string().meta({ description: 'Time zone of dates in proposals (IANA name).', examples: ['Europe/Berlin'] }),
    replyTo: z
      .string()
      .nullable()
      .describe(
        'Email address for replies to emails about proposals that no member sent, for instance those of API tokens; null for none.',
      ),
    reminderDays: z.array(z.int()).meta({
      description: 'Days after sending on which recipients without an answer are reminded, in ascending order.',
      examples: [[3, 7, 14]],
    }),
    defaultTerms: z.string().nullable().describe('Terms, in Markdown, of proposals that are created without `sections`; null without any.'),
    expiryDays: z
      .int()
      .nullable()
      .meta({ description: 'Days until proposals that are created without `expiresAt` expire; null if they do not.', examples: [30] }),
    logo: z.object(imageFields).nullable().describe('Logo in proposals, which `GET /v1/organization/logo` returns; null without one.'),
    usage: Usage.nullable().describe('Resources in use, with their quotas; null for tokens limited to certain knowledge bases.'),
    createdAt,
  })
  .meta({ id: 'Organization', description: 'The tenant that owns all other records.' })
export type Organization = z.input<typeof Organization>

const name = text(1, 200).meta({ description: 'Name of the organization.' })

const CreateOrganization = z.strictObject({ name, ...regionFields }).meta({
  id: 'CreateOrganization',
  description: 'A new organization.',
  examples: [{ name: 'Example Ltd', country: 'DE', defaultCurrency: 'EUR', timeZone: 'Europe/Berlin' }],
})
export type CreateOrganization = z.output<typeof CreateOrganization>

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #1f5f8b')
  .transform((value) => value.toLowerCase())

const reminderDays = z
  .array(z.int().min(1).max(365))
  .max(5)
  .transform((days) => [...new Set(days)].toSorted((a, b) => a - b))

const UpdateOrganization = z
  .strictObject({
    name,
    slug,
    defaultCurrency: currencyInput.meta({ description: 'Currency of proposals without one (ISO 4217).' }),
    legalName: text(1, 200).nullable().describe('Name in proposals and their emails. null shows `name` there.'),
    address: text(1, 500).nullable().describe('Postal address in proposals, with line breaks. null clears it.'),
    taxId: text(1, 60).nullable().describe('Tax or VAT number in proposals. null clears it.'),
    country: countryInput
      .nullable()
      .meta({ description: 'Country of the organization (ISO 3166-1 alpha-2). null clears it.', examples: ['DE'] }),
    color: color.nullable().meta({
      description:
        'Color of buttons and headings in proposals (`#rrggbb`). A light color is shown darker, so that white text on it is readable. null restores the default.',
      examples: ['#1f5f8b'],
    }),
    language: z.enum(clientLanguages).describe('Language of proposals and their emails to recipients without a language of their own.'),
    timeZone: timeZoneInput.meta({ description: 'Time zone of dates in proposals (IANA name).', examples: ['Europe/Berlin'] }),
    replyTo: emailAddress
      .nullable()
      .describe(
        'Email address for replies to emails about proposals that no member sent, for instance those of API tokens. null clears it.',
      ),
    reminderDays: reminderDays.meta({
      description:
        'Days after sending on which recipients without an answer are reminded: up to 5 numbers from 1 to 365. Duplicates are dropped. An empty list turns reminders off. Pending proposals follow a change from their next reminder on.',
      examples: [[3, 7, 14]],
    }),
    defaultTerms: markdownInput('')
      .nullable()
      .describe('Terms of proposals that are created without `sections`, in Markdown as in a section of type `terms`. null clears them.'),
    logo: z
      .strictObject({ storageUrl: storageUrl.meta({ description: '`storageUrl` of an upload whose bytes have been received.' }) })
      .nullable()
      .describe('Logo in proposals: a PNG or JPEG file of at most 1 MB and 4 megapixels, which is copied. null removes it.'),
    expiryDays: wholeNumber(1, 365)
      .nullable()
      .meta({
        description:
          'Days, 1 to 365, until proposals that are created without `expiresAt` expire: at the end of that day in `timeZone`. null means never.',
        examples: [30],
      }),
  })
  .partial()
  .meta({
    id: 'UpdateOrganization',
    description: 'Changes to the organization. Omitted fields keep their values.',
    examples: [{ name: 'Example Ltd', defaultCurrency: 'EUR' }],
  })
export type UpdateOrganization = z.output<typeof UpdateOrganization>

/** Details of the organization that the page of a proposal shows. */
export const sellerInput = UpdateOrganization.pick({
  name: true,
  legalName: true,
  address: true,
  taxId: true,
  color: true,
  language: true,
  timeZone: true,
})
export type SellerInput = z.output<typeof sellerInput>

export const organizations = {
  create: route({
    method: 'POST',
    path: '/v1/organizations',
    summary: 'Create an organization',
    description: 'The signed-in user becomes its owner. 409 if the user already belongs to the maximum number of organizations.',
    scope: 'session',
    body: CreateOrganization,
    status: 201,
    location: '/v1/organization',
    reply: OwnOrganization,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: '/v1/organization',
    summary: 'Get the current organization',
    description: 'Returns the organization of the token, or the one that the session acts for.',
    scope: 'organization:read',
    status: 200,
    reply: Organization,
  }),
  logo: route({
    method: 'GET',
    path: '/v1/organization/logo',
    summary: 'Download the logo',
    answer: 'The logo as an attachment.',
    description: '404 if the organization has no logo.',
    scope: 'organization:read',
    status: 200,
    file: true,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/organization',
    summary: 'Update the current organization',
    description: 'A new `slug` changes the URLs of its dashboard pages. 409 if another organization has the `slug`.',
    scope: 'organization:write',
    body: UpdateOrganization,
    status: 200,
    reply: Organization,
    errors: ['conflict'],
  }),
}
