import { z } from 'zod'
import { channels, type Channel } from './consent-states.ts'
import { tagsInput } from './contacts.ts'
import { storageUrl } from './new-source.ts'
import { route } from './route.ts'
import { countryInput, createdAt, idInput, idOutput, pageOf, pageQuery, text, Timestamp } from './schemas.ts'

/** Maximum size of an imported file in bytes: 100 MB. */
export const maxImportBytes = 100_000_000

/** Fields of consent by their channel. A column of opt-outs says nothing about contacts without one. */
export type ConsentField = `consent.${Channel}` | `optOut.${Channel}`
const consentFields = channels.flatMap((channel): ConsentField[] => [`consent.${channel}`, `optOut.${channel}`])

export const importFields = [
  'externalId',
  'firstName',
  'lastName',
  'fullName',
  'email',
  'emailLabel',
  'phone',
  'phoneLabel',
  'jobTitle',
  'street',
  'city',
  'postalCode',
  'region',
  'country',
  'language',
  'timeZone',
  'doNotContact',
  ...consentFields,
  'tags',
  'source',
  'companyName',
  'companyDomain',
] as const
export type ImportField = (typeof importFields)[number]

const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
const field = z
  .string()
  .regex(
    new RegExp(`^(?:${importFields.join('|').replaceAll('.', '\\.')}|fld_${uuid})$`),
    'must be a field of contacts, or the id of a custom field',
  )
  .meta({ examples: ['email'] })

const mode = z
  .enum(['upsert', 'create', 'update'])
  .describe(
    '`upsert`: updates contacts that exist and creates the others; `create`: only creates, and reports rows of contacts that exist; `update`: only updates, and reports the others.',
  )
const matchOn = z.enum(['externalId', 'email', 'phone'])
const byDefault =
  'the `externalId` if a contact has it, otherwise the first that a row has of `email`, `phone` (unless the names contradict each other) and full name'
const blanks = z.enum(['keep', 'clear']).describe('Whether a blank cell keeps the value of an existing contact or clears it.')
/** Encodings of CSV files, by their names in the Encoding standard. */
export const importEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-15',
  'koi8-r',
  'koi8-u',
  'windows-874',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'gbk',
  'gb18030',
  'big5',
  'euc-kr',
] as const
export type ImportEncoding = (typeof importEncodings)[number]
const delimiters = z.enum([',', ';', '\t', '|'])

const MappedColumn = z
  .object({
    column: z.string().describe('Header of the column; without a header row, its number from 1.'),
    field: z
      .string()
      .nullable()
      .describe(`Field of contacts: ${importFields.map((name) => `\`${name}\``).join(', ')}, or the id of a custom field; null for none.`),
    samples: z
      .array(z.string())
      .optional()
      .describe('First cells of the column that are not blank, at most three. Only of dry runs, for 30 days.'),
  })
  .meta({ id: 'MappedColumn', description: 'A column of an imported file with its field.' })

const count = (of: string) => z.int().describe(`Number of ${of}.`)

export const importErrorCodes = [
  'file_missing',
  'empty_file',
  'unsupported_file',
  'corrupt_file',
  'too_large',
  'no_known_column',
  'unknown_column',
  'internal',
] as const
export type ImportErrorCode = (typeof importErrorCodes)[number]

export const ContactImport = z
  .object({
    id: idOutput('imp'),
    status: z
      .enum(['queued', 'running', 'completed', 'failed', 'cancelled'])
      .describe('`completed` also with rows that failed. `failed`: see `errorCode`.'),
    dryRun: z.boolean().describe('Whether the import only counts and changes nothing.'),
    mode,
    matchOn: matchOn.nullable().describe(`Field that identifies contacts; null for the default: ${byDefault}.`),
    blanks,
    fileName: z.string().describe('Name of the uploaded file.'),
    encoding: z.string().nullable().describe('Encoding of a CSV file; null before the file was read, and for XLSX.'),
    delimiter: z.string().nullable().describe('Delimiter of a CSV file; null before the file was read, and for XLSX.'),
    header: z.boolean().nullable().describe('Whether the first row names the columns; null before the file was read.'),
    mapping: z
      .array(MappedColumn)
      .describe('Columns of the file with their fields, also if none has a field (`no_known_column`); empty before the file was read.'),
    progress: z
      .object({
        done: count('processed rows'),
        total: z.int().nullable().describe('Number of all rows; null before the file was read.'),
        unit: z.literal('rows').describe('Unit of the numbers.'),
      })
      .meta({ id: 'ImportProgress', description: 'Progress in rows, without the header.' }),
    counts: z
      .object({
        created: count('created contacts'),
        updated: count('changed contacts'),
        unchanged: count('rows whose contact has all their values already'),
        failed: count('rows with an error'),
        companiesCreated: count('created companies'),
        consentsRecorded: z.int().nullable().describe('Number of recorded consents; null in older events.'),
        denialsKept: z
          .int()
          .nullable()
          .describe('Number of refusals (`denied`) that were kept although the file has another state; null in older events.'),
      })
      .meta({ id: 'ImportCounts', description: 'Results. A dry run has the results of an import at this time.' }),
    errorCode: z.enum(importErrorCodes).nullable().describe('Reason of a failed import; null otherwise.'),
    error: z.string().nullable().describe('The same in words.'),
    createdAt,
    endedAt: Timestamp.nullable().describe('Time at which the import ended; null before.'),
  })
  .meta({ id: 'ContactImport', description: 'An import of contacts from a file.' })
export type ContactImport = z.input<typeof ContactImport>

export const CreateContactImport = z
  .strictObject({
    storageUrl: storageUrl.meta({ description: '`storageUrl` of an upload: a CSV or XLSX file of up to 100 MB.' }),
    mode: mode.default('upsert'),
    matchOn: matchOn.optional().describe(`Field that identifies contacts. By default, ${byDefault}.`),
    blanks: blanks.default('keep'),
    dryRun: z.boolean().default(false).describe('true changes nothing and only counts the results.'),
    mapping: z
      .array(
        z.strictObject({
          column: text(1, 500).describe('Header of the column, or its number.'),
          field: field.nullable().describe('Field of contacts; null ignores the column.'),
        }),
      )
      .min(1)
      .max(500)
      .optional()
      .describe('Fields of columns. The fields of other columns are guessed from their headers.'),
    encoding: z.enum(importEncodings).optional().describe('Encoding of a CSV file; guessed by default.'),
    delimiter: delimiters.optional().describe('Delimiter of a CSV file; guessed by default.'),
    header: z.boolean().optional().describe('Whether the first row names the columns; guessed by default.'),
    country: countryInput
      .optional()
      .describe('Country of phone numbers without a country code (ISO 3166-1). The country of the organization by default.'),
    tags: tagsInput.optional().describe('Tags for all imported contacts, besides those of the file.'),
    replaceDenials: z
      .boolean()
      .default(false)
      .describe('true lets a consent of the file replace the refusal (`denied`) of a contact. By default refusals stay.'),
  })
  .meta({
    id: 'CreateContactImport',
    description: 'An import of contacts from an uploaded file.',
    examples: [{ storageUrl: 'groundwork://uploads/upl_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8', dryRun: true }],
  })
export type CreateContactImport = z.output<typeof CreateContactImport>

const params = z.object({ importId: idInput('imp') })
const ListImports = z.strictObject(pageQuery)
export type ListImports = z.output<typeof ListImports>

export const contactImports = {
  list: route({
    method: 'GET',
    path: '/v1/contact-imports',
    summary: 'List imports of contacts, newest first',
    scope: 'contacts:read',
    query: ListImports,
    status: 200,
    reply: pageOf(ContactImport),
  }),
  create: route({
    method: 'POST',
    path: '/v1/contact-imports',
    summary: 'Import contacts from a file',
    description:
      'Reads an uploaded CSV or XLSX file in the background. Encoding, delimiter, header and the fields of the columns are guessed unless the request names them. Importing the same file again changes nothing.',
    scope: 'contacts:write',
    body: CreateContactImport,
    status: 201,
    reply: ContactImport,
  }),
  get: route({
    method: 'GET',
    path: '/v1/contact-imports/{importId}',
    summary: 'Get an import of contacts',
    scope: 'contacts:read',
    params,
    status: 200,
    reply: ContactImport,
  }),
  cancel: route({
    method: 'POST',
    path: '/v1/contact-imports/{importId}/cancel',
    summary: 'Cancel an import of contacts',
    description: 'Contacts that were imported before stay. 409 if the import has ended, 403 with the token of an agent.',
    scope: 'contacts:write',
    params,
    status: 200,
    reply: ContactImport,
    errors: ['conflict'],
  }),
  errors: route({
    method: 'GET',
    path: '/v1/contact-imports/{importId}/errors',
    summary: 'Download the rows of an import that failed',
    description:
      'The columns of the file, then `row` (its number in the file, as a spreadsheet shows it), `field` and `error`, then cells beyond the header. UTF-8 with a byte order mark, separated by semicolons if the file is, otherwise by commas. Correct the rows, and import this file.',
    scope: 'contacts:read',
    params,
    status: 200,
    csv: 'import-errors.csv',
  }),
}
