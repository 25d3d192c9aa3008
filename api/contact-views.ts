import { z } from 'zod'
import { contactSorts } from './contacts.ts'
import { fieldUuid } from './custom-fields.ts'
import { route } from './route.ts'
import { clearable, createdAt, idInput, idOutput, pageOf, pageQuery, text, updatedAt } from './schemas.ts'
import { SearchFilter } from './search-filter.ts'

/** Columns of a view besides custom fields. */
export const contactColumns = [
  'name',
  'firstName',
  'lastName',
  'email',
  'phone',
  'companyId',
  'jobTitle',
  'tags',
  'ownerId',
  'source',
  'language',
  'timeZone',
  'address',
  'externalId',
  'doNotContact',
  'lastInteractionAt',
  'createdAt',
  'updatedAt',
] as const

const maxColumns = 50
const columnNames = `${contactColumns.map((name) => `\`${name}\``).join(', ')}, and \`customFields.\` with the id of a field`

export const ContactView = z
  .object({
    id: idOutput('view'),
    name: z.string().describe('Name of the view.'),
    filter: SearchFilter.nullable().describe('Condition on the contacts, as in `POST /v1/contacts/search`; null for all contacts.'),
    q: z.string().nullable().describe('Search text; null without one.'),
    sort: z.enum(contactSorts).describe('Order of the contacts. With `q`, the best match comes first instead.'),
    columns: z
      .array(z.string())
      .describe(`Columns in their order: ${columnNames}. An archived field stays in the list: leave it out when you show the view.`),
    shared: z.boolean().describe('true: all members see the view. false: only its owner does.'),
    ownerId: idOutput('usr')
      .nullable()
      .describe('Id of the member that created the view: `usr_` and a UUID; null for a view of a token or of a former member.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'ContactView', description: 'A saved view of the list of contacts.' })
export type ContactView = z.input<typeof ContactView>

const columnPattern = new RegExp(String.raw`^(?:${contactColumns.join('|')}|customFields\.(?:fld_)?${fieldUuid})$`)

const column = z
  .string()
  .regex(columnPattern, 'must be a column, or customFields. with the id of a field')
  .transform((name) => (name.startsWith('customFields.') ? `customFields.fld_${name.slice(-36).toLowerCase()}` : name))

const columns = z
  .array(column)
  .min(1)
  .max(maxColumns)
  .transform((names) => [...new Set(names)])
  .describe(`Columns in their order, at most ${maxColumns}: ${columnNames}. Duplicates are dropped.`)

const fields = {
  name: text(1, 80).describe('Name of the view.'),
  filter: clearable(SearchFilter).describe('Condition on the contacts, as in `POST /v1/contacts/search`. null clears it.'),
  q: clearable(text(1, 200)).describe('Search text. null clears it.'),
  sort: z.enum(contactSorts).describe('Order of the contacts; `-` means descending.'),
  columns,
  shared: z.boolean().describe('true: all members see the view. false: only its owner does, so a token cannot create such a view.'),
}

export const CreateContactView = z
  .strictObject({
    ...fields,
    sort: fields.sort.default('-createdAt'),
    shared: fields.shared.optional().describe(`${fields.shared.description} By default false for members, and true for tokens.`),
  })
  .meta({
    id: 'CreateContactView',
    description: 'A new view.',
    examples: [{ name: 'VIPs', filter: { key: 'tags', eq: 'vip' }, sort: 'name', columns: ['name', 'email', 'tags'] }],
  })
export type CreateContactView = z.output<typeof CreateContactView>

export const UpdateContactView = z
  .strictObject({
    ...fields,
    name: fields.name.optional(),
    sort: fields.sort.optional(),
    columns: columns.optional(),
    shared: fields.shared.optional(),
  })
  .meta({
    id: 'UpdateContactView',
    description: 'Changes to a view. Omitted fields keep their values.',
    examples: [{ columns: ['name', 'phone'], shared: true }],
  })
export type UpdateContactView = z.output<typeof UpdateContactView>

const params = z.object({ id: idInput('view') })

const ListContactViews = z.strictObject(pageQuery)
export type ListContactViews = z.output<typeof ListContactViews>

export const contactViews = {
  list: route({
    method: 'GET',
    path: '/v1/contact-views',
    summary: 'List views of contacts, newest first',
    description: 'Returns shared views and those of the signed-in user.',
    scope: 'contacts:read',
    query: ListContactViews,
    status: 200,
    reply: pageOf(ContactView),
  }),
  create: route({
    method: 'POST',
    path: '/v1/contact-views',
    summary: 'Create a view of contacts',
    description: '409 if the organization has 200 views.',
    scope: 'contacts:write',
    body: CreateContactView,
    status: 201,
    reply: ContactView,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: '/v1/contact-views/{id}',
    summary: 'Get a view of contacts',
    scope: 'contacts:read',
    params,
    status: 200,
    reply: ContactView,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/contact-views/{id}',
    summary: 'Update a view of contacts',
    description: 'A shared view is changed by its owner, by owners and admins of the organization, and by tokens; 403 for other members.',
    scope: 'contacts:write',
    params,
    body: UpdateContactView,
    status: 200,
    reply: ContactView,
    errors: ['forbidden'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/contact-views/{id}',
    summary: 'Delete a view of contacts',
    description: 'A shared view is deleted by its owner, by owners and admins of the organization, and by tokens; 403 for other members.',
    scope: 'contacts:write',
    params,
    status: 204,
    errors: ['forbidden'],
  }),
}
