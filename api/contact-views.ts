import { z } from 'zod'
import { contactSorts } from './contacts.ts'
import { fieldUuid } from './custom-fields.ts'
import { changedViewFields, newViewFields, viewFields, viewRoutes } from './saved-views.ts'
import { clearable } from './schemas.ts'
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

const { id, name: viewName, q, ...others } = viewFields('view')

export const ContactView = z
  .object({
    id,
    name: viewName,
    filter: SearchFilter.nullable().describe('Condition on the contacts, as in `POST /v1/contacts/search`; null for all contacts.'),
    q,
    sort: z.enum(contactSorts).nullable().describe('Order of the contacts; null with `q`, whose best match comes first.'),
    columns: z
      .array(z.string())
      .describe(`Columns in their order: ${columnNames}. An archived field stays in the list: leave it out when you show the view.`),
    ...others,
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

const filter = clearable(SearchFilter).describe('Condition on the contacts, as in `POST /v1/contacts/search`. null clears it.')
const sort = z.enum(contactSorts).describe('Order of the contacts while the view has no `q`; `-` means descending.')

export const CreateContactView = z
  .strictObject({
    name: newViewFields.name,
    filter,
    q: newViewFields.q,
    sort: sort.default('-createdAt'),
    columns,
    shared: newViewFields.shared,
  })
  .meta({
    id: 'CreateContactView',
    description: 'A new view.',
    examples: [{ name: 'VIPs', filter: { key: 'tags', eq: 'vip' }, sort: 'name', columns: ['name', 'email', 'tags'] }],
  })
export type CreateContactView = z.output<typeof CreateContactView>

export const UpdateContactView = z
  .strictObject({
    name: changedViewFields.name,
    filter,
    q: changedViewFields.q,
    sort: sort.optional(),
    columns: columns.optional(),
    shared: changedViewFields.shared,
  })
  .meta({
    id: 'UpdateContactView',
    description: 'Changes to a view. Omitted fields keep their values.',
    examples: [{ columns: ['name', 'phone'], shared: true }],
  })
export type UpdateContactView = z.output<typeof UpdateContactView>

export const contactViews = viewRoutes({
  path: '/v1/contact-views',
  prefix: 'view',
  of: 'contacts',
  scopes: { read: 'contacts:read', write: 'contacts:write' },
  view: ContactView,
  create: CreateContactView,
  update: UpdateContactView,
})
