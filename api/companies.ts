import { z } from 'zod'
import { phoneInput, tagsInput } from './contacts.ts'
import { customFieldFilter, customFieldsInput } from './custom-fields.ts'
import { route } from './route.ts'
import { clearable, createdAt, idInput, idOutput, pageOf, pageQuery, text, Timestamp, updatedAt } from './schemas.ts'

const addressLine = (line: string) => z.string().nullable().describe(`${line}; null if unknown.`)

export const CompanyAddress = z
  .object({
    line1: addressLine('Street and number'),
    line2: addressLine('Floor, building or addition'),
    city: addressLine('City'),
    region: addressLine('State, province or region'),
    postalCode: addressLine('Postal code'),
    country: addressLine('Country code of ISO 3166-1 in upper case, such as `DE`'),
  })
  .meta({ id: 'CompanyAddress', description: 'Postal address of a company.' })
export type CompanyAddress = z.input<typeof CompanyAddress>

export const Company = z
  .object({
    id: idOutput('co'),
    externalId: z.string().nullable().describe('Your own id of the company, unique in the organization; null without one.'),
    name: z.string().describe('Name of the company.'),
    domains: z
      .array(z.string())
      .describe('Internet domains in lower case, such as `example.com`. A domain belongs to at most one company of the organization.'),
    phone: z.string().nullable().describe('Phone number in E.164 format, such as `+4930123456`; null if unknown.'),
    address: CompanyAddress.nullable().describe('Postal address; null if unknown.'),
    vatId: z.string().nullable().describe('VAT identification number without spaces, such as `DE123456789`; null if unknown.'),
    tags: z.array(z.string()).describe('Labels of your choice, for filtering. Unique within the company, in any case.'),
    customFields: z
      .record(z.string(), z.unknown())
      .describe('Values of custom fields by the id of the field: `fld_` and a UUID. Fields without a value are absent.'),
    mergedIds: z
      .array(idOutput('co'))
      .nullable()
      .describe(
        'Ids of the companies that were merged into this one: `co_` and a UUID. `GET /v1/companies/{id}` of one of them returns it. Null in events of former versions of the service.',
      ),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Company', description: 'A company that contacts belong to.' })
export type Company = z.input<typeof Company>

const domainPattern = String.raw`^(?:[A-Za-z0-9](?:[A-Za-z0-9\-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9\-]{0,61}[A-Za-z0-9]$`

/** A domain in requests, parsed to lower case and ASCII. A URL becomes the domain of its host, without `www.`. */
export const domainInput = text(3, 253)
  .meta({ pattern: domainPattern, examples: ['example.com'] })
  .transform(hostOf)
  .pipe(z.string().max(253).regex(new RegExp(domainPattern), 'must be a domain such as example.com'))

function hostOf(value: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`
  try {
    return new URL(url).hostname.replace(/\.$/, '').replace(/^www\./, '')
  } catch {
    return ''
  }
}

const vatPattern = String.raw`^[A-Za-z]{2}(?:[ .\-]?[A-Za-z0-9]){4,13}$`
const vatId = text(6, 30)
  .meta({ pattern: vatPattern, examples: ['DE123456789', 'NL 8102.34.567.B01'] })
  .transform((value) => value.replace(/[\s.-]/g, '').toUpperCase())
  .pipe(
    z
      .string()
      .regex(/^[A-Z]{2}[A-Z0-9]{4,13}$/, 'must be a VAT identification number: a country prefix of two letters, then letters and digits'),
  )

const line = (description: string, maxLength = 120) => clearable(text(1, maxLength)).describe(description)
const address = z
  .strictObject({
    line1: line('Street and number.'),
    line2: line('Floor, building or addition.'),
    city: line('City.'),
    region: line('State, province or region.'),
    postalCode: line('Postal code.', 20),
    country: clearable(
      z
        .string()
        .regex(/^[A-Za-z]{2}$/, 'must be a country code of two letters')
        .transform((value) => value.toUpperCase()),
    ).describe('Country code of ISO 3166-1, such as `DE`.'),
  })
  .meta({ id: 'CompanyAddressInput', description: 'Postal address. Omitted parts are unknown.' })

/** Maximum number of domains of a company. */
export const maxDomains = 20

const fields = {
  externalId: clearable(text(1, 200)).describe('Your own id of the company, unique in the organization. null clears it.'),
  domains: clearable(
    z
      .array(domainInput)
      .max(maxDomains)
      .transform((values) => [...new Set(values)]),
  ).describe(
    'Internet domains, at most 20; URLs are accepted. They replace the former ones; null removes all. A domain belongs to at most one company of the organization.',
  ),
  phone: clearable(phoneInput).describe(
    'Existing phone number in international format with a leading plus sign; it is stored as E.164. null clears it.',
  ),
  address: clearable(address).describe('Postal address. It replaces the former one as a whole. null clears it.'),
  vatId: clearable(vatId).describe(
    'VAT identification number with its country prefix; it is stored in upper case without spaces, dots and hyphens. null clears it.',
  ),
  customFields: customFieldsInput.describe(
    'Values of custom fields by the id of the field. Omitted fields keep their values; null clears one, or all.',
  ),
  tags: clearable(tagsInput).describe(
    'Labels of your choice, at most 50. They replace the former ones; null removes all. Duplicates are dropped.',
  ),
}
const name = text(1, 200).describe('Name of the company.')

export const CreateCompany = z.strictObject({ name, ...fields }).meta({
  id: 'CreateCompany',
  description: 'A new company.',
  examples: [{ name: 'Example Ltd', domains: ['example.com'], vatId: 'DE123456789', tags: ['supplier'] }],
})
export type CreateCompany = z.output<typeof CreateCompany>

export const UpdateCompany = z.strictObject({ name: name.optional(), ...fields }).meta({
  id: 'UpdateCompany',
  description: 'Changes to a company. Omitted fields keep their values.',
  examples: [{ phone: null, tags: ['supplier', 'autumn'] }],
})
export type UpdateCompany = z.output<typeof UpdateCompany>

const params = z.object({ id: idInput('co') })

const ListCompanies = z.strictObject({
  ...pageQuery,
  q: text(1, 200).optional().meta({
    description: 'Search text: every word must occur in the name. Case, accents and punctuation are ignored.',
  }),
  domain: text(1, 253)
    .transform((value) => hostOf(value) || value)
    .optional()
    .meta({ description: 'Only the company with this domain. URLs are accepted.', examples: ['example.com'] }),
  tag: z
    .union([text(1, 60), z.array(text(1, 60)).max(20)])
    .transform((value) => (Array.isArray(value) ? value : [value]))
    .optional()
    .meta({ description: 'Only companies with this tag, in any case. Repeat the parameter for companies with all of several tags.' }),
  customField: customFieldFilter,
  externalId: text(1, 200).optional().meta({ description: 'Only the company with this id of your own.' }),
})
export type ListCompanies = z.output<typeof ListCompanies>

export const DeletedCompany = z
  .object({
    id: idOutput('co'),
    name: z.string().describe('Name of the company.'),
    domains: z.array(z.string()).describe('Internet domains that the company had.'),
    deletedAt: Timestamp.describe('Time of the deletion: UTC with milliseconds (ISO 8601).'),
    restorableUntil: Timestamp.describe('Time after which the company is purged: UTC with milliseconds (ISO 8601).'),
  })
  .meta({ id: 'DeletedCompany', description: 'A deleted company that can be restored.' })
export type DeletedCompany = z.input<typeof DeletedCompany>

const ListDeletedCompanies = z.strictObject({
  ...pageQuery,
  q: text(1, 200).optional().describe('Only companies whose name or domains contain all words of this text.'),
})
export type ListDeletedCompanies = z.output<typeof ListDeletedCompanies>

export const companies = {
  list: route({
    method: 'GET',
    path: '/v1/companies',
    summary: 'List companies, newest first',
    scope: 'contacts:read',
    query: ListCompanies,
    status: 200,
    reply: pageOf(Company),
  }),
  create: route({
    method: 'POST',
    path: '/v1/companies',
    summary: 'Create a company',
    description: '409 if another company has the `externalId` or one of the `domains`.',
    scope: 'contacts:write',
    body: CreateCompany,
    status: 201,
    reply: Company,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: '/v1/companies/{id}',
    summary: 'Get a company',
    scope: 'contacts:read',
    params,
    status: 200,
    reply: Company,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/companies/{id}',
    summary: 'Update a company',
    description:
      'Omitted fields keep their values, and null clears a field. `tags`, `domains` and `address` replace the former ones. 409 if another company has the `externalId` or one of the `domains`. 403 if an agent’s token would replace a value.',
    scope: 'contacts:write',
    params,
    body: UpdateCompany,
    status: 200,
    reply: Company,
    errors: ['conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/companies/{id}',
    summary: 'Delete a company',
    description:
      'The company disappears from all lists at once, and the `companyId` of its contacts becomes null shortly afterwards. It can be restored for 30 days, together with these links.',
    scope: 'contacts:write',
    params,
    status: 204,
  }),
  deleted: route({
    method: 'GET',
    path: '/v1/companies/deleted',
    summary: 'List deleted companies that can be restored',
    description:
      'The ones of the last 30 days, the last deleted first; companies that were merged into another one are not among them. Needs the scope to restore them; 403 for an agent’s token.',
    scope: 'contacts:write',
    query: ListDeletedCompanies,
    status: 200,
    reply: pageOf(DeletedCompany),
    errors: ['forbidden'],
  }),
  restore: route({
    method: 'POST',
    path: '/v1/companies/{id}/restore',
    summary: 'Restore a deleted company',
    description:
      'Possible for 30 days after the deletion. Contacts that lost the company by the deletion, and belong to no other company, get it back shortly afterwards. 409 if another company has taken the `externalId` or one of the `domains` since, or if the company was merged into another one.',
    scope: 'contacts:write',
    params,
    status: 200,
    reply: Company,
    errors: ['conflict'],
  }),
}
