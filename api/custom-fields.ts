import { z } from 'zod'
import { route } from './route.ts'
import {
  clearable,
  createdAt,
  exactNumber,
  idInput,
  idOutput,
  pageOf,
  pageQuery,
  queryBoolean,
  text,
  Timestamp,
  updatedAt,
} from './schemas.ts'

export const customFieldTypes = ['text', 'number', 'date', 'boolean', 'select', 'multiselect'] as const
export type CustomFieldType = (typeof customFieldTypes)[number]

const entity = z.enum(['contact', 'company']).describe('Kind of records that have the field.')
const type = z
  .enum(customFieldTypes)
  .describe(
    'Type of the values: `text`: text of up to 5,000 characters; `number`; `date`: `YYYY-MM-DD`; `boolean`; `select`: the `value` of one option; `multiselect`: an array of values of options.',
  )

export const CustomFieldOption = z
  .object({
    value: z.string().describe('Stored in records.'),
    label: z.string().describe('Shown to people.'),
  })
  .meta({ id: 'CustomFieldOption', description: 'A choice of a select.' })
export type CustomFieldOption = z.input<typeof CustomFieldOption>

export const CustomField = z
  .object({
    id: idOutput('fld'),
    entity,
    name: z.string().describe('Name of the field, unique among those of the entity that are not archived.'),
    type,
    options: z.array(CustomFieldOption).nullable().describe('Choices of a `select` or `multiselect`; null for other types.'),
    archivedAt: Timestamp.nullable().describe('Time at which the field was archived; null if it is in use.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'CustomField', description: 'A field of your own for contacts or companies.' })
export type CustomField = z.input<typeof CustomField>

/** A value of a custom field in requests. The type of the field decides which are valid. */
export type CustomFieldValue = string | number | boolean | string[]

/** The pattern of the id of a custom field without its prefix. */
export const fieldUuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
const fieldId = z
  .string()
  .regex(new RegExp(`^(?:fld_)?${fieldUuid}$`), 'must be an id of the form fld_<uuid>')
  .transform((id) => `fld_${id.slice(-36).toLowerCase()}`)

/** Values of custom fields in requests, by the id of the field. */
export const customFieldsInput = clearable(
  z
    .record(fieldId, z.union([text(0, 5000), exactNumber, z.boolean(), z.array(text(1, 120)).max(200)]).nullable())
    .check(({ value, issues }) => {
      if (Object.keys(value).length > 200) issues.push({ code: 'custom', message: 'must have at most 200 fields', input: value })
    }),
)

const filterPattern = String.raw`^(?:fld_)?${fieldUuid}:[^\u0000]*[^\s\u0000][^\u0000]*$`

/** Filters of a list by values of custom fields. */
export const customFieldFilter = z
  .union([text(1, 400), z.array(text(1, 400)).max(20)])
  .transform((value) => [value].flat())
  .pipe(z.array(z.string().regex(new RegExp(filterPattern), 'must be the id of a custom field, a colon and a value')))
  .transform((filters) =>
    filters.map((filter) => ({
      id: filter.split(':', 1)[0]?.slice(-36).toLowerCase() ?? '',
      value: filter.slice(filter.indexOf(':') + 1).trim(),
    })),
  )
  .optional()
  .meta({
    description:
      'Only records with this value of a custom field: the id of the field, a colon, and the value, such as `fld_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8:Berlin`. Numbers and dates can be ranges: `…:5..10`, `…:2026-01-01..`. A multiselect must contain the value. Repeat the parameter for records that match all of several filters.',
  })
export type CustomFieldFilter = NonNullable<z.output<typeof customFieldFilter>>[number]

const name = text(1, 120).describe('Name of the field, unique among those of the entity, in any case.')
const option = z
  .strictObject({
    value: text(1, 120).describe('Stored in records.'),
    label: text(1, 120).optional().describe('Shown to people; the value by default.'),
  })
  .meta({ id: 'CustomFieldOptionInput', description: 'A choice of a select.' })
const options = z
  .array(option)
  .min(1)
  .max(200)
  .superRefine((given, check) => {
    const seen = new Set<string>()
    given.forEach(({ value }, index) => {
      if (seen.has(value)) check.addIssue({ code: 'custom', path: [index, 'value'], message: 'must differ from the other options' })
      seen.add(value)
    })
  })
  .describe('Choices of a `select` or `multiselect`, at most 200 with different values. They replace the former ones.')

export const CreateCustomField = z
  .strictObject({ entity, name, type, options: options.optional() })
  .superRefine(({ type: of, options: given }, check) => {
    const isSelect = of === 'select' || of === 'multiselect'
    if (isSelect !== (given !== undefined))
      check.addIssue({
        code: 'custom',
        path: ['options'],
        message: isSelect ? 'is required for this type' : 'is only allowed for select and multiselect',
      })
  })
  .meta({
    id: 'CreateCustomField',
    description: 'A new custom field. `options` are required for `select` and `multiselect`, and only allowed for them.',
    examples: [
      {
        entity: 'contact',
        name: 'Size',
        type: 'select',
        options: [
          { value: 's', label: 'Small' },
          { value: 'l', label: 'Large' },
        ],
      },
    ],
  })
export type CreateCustomField = z.output<typeof CreateCustomField>

export const UpdateCustomField = z.strictObject({ name: name.optional(), options: options.optional() }).meta({
  id: 'UpdateCustomField',
  description: 'Changes to a custom field. Omitted fields keep their values.',
  examples: [{ name: 'Date of birth' }],
})
export type UpdateCustomField = z.output<typeof UpdateCustomField>

export const ConvertCustomField = z
  .strictObject({
    type,
    options: options.optional().describe('Choices of a `select` or `multiselect`. By default, those of the field, or the values in use.'),
    dryRun: z.boolean().default(false).describe('true changes nothing, and returns the values that the conversion would lose.'),
  })
  .meta({ id: 'ConvertCustomField', description: 'Another type for a custom field.', examples: [{ type: 'date', dryRun: true }] })
export type ConvertCustomField = z.output<typeof ConvertCustomField>

export const CustomFieldConversion = z
  .object({
    dryRun: z.boolean().describe('Whether nothing was changed.'),
    kept: z.int().describe('Number of records whose value can be converted.'),
    lost: z
      .int()
      .describe('Number of values that cannot be converted, also of deleted records and of those that undoing a merge would bring back.'),
    lostValues: z
      .array(
        z.object({
          recordId: z.string().meta({
            description: 'Id of the contact or the company.',
            examples: ['ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'],
          }),
          value: z.unknown().describe('The value that cannot be converted.'),
        }),
      )
      .describe('Values that cannot be converted, at most 100 of them.'),
    field: CustomField,
  })
  .meta({ id: 'CustomFieldConversion', description: 'Result of a conversion of a custom field.' })
export type CustomFieldConversion = z.input<typeof CustomFieldConversion>

const params = z.object({ id: idInput('fld') })

const ListCustomFields = z.strictObject({
  ...pageQuery,
  entity: entity.optional().describe('Only fields of this kind of records.'),
  archived: queryBoolean.optional().meta({ description: 'true: only archived fields. By default, only fields in use.' }),
})
export type ListCustomFields = z.output<typeof ListCustomFields>

export const customFields = {
  list: route({
    method: 'GET',
    path: '/v1/custom-fields',
    summary: 'List custom fields, newest first',
    scope: 'contacts:read',
    query: ListCustomFields,
    status: 200,
    reply: pageOf(CustomField),
  }),
  create: route({
    method: 'POST',
    path: '/v1/custom-fields',
    summary: 'Create a custom field',
    description: '409 if another field of the entity has the name, or the organization has 200 fields, archived ones included.',
    scope: 'contacts:write',
    body: CreateCustomField,
    status: 201,
    reply: CustomField,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: '/v1/custom-fields/{id}',
    summary: 'Get a custom field',
    scope: 'contacts:read',
    params,
    status: 200,
    reply: CustomField,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/custom-fields/{id}',
    summary: 'Update a custom field',
    description:
      'Changes the name or the options. 409 if another field of the entity has the name, or if records have the value of an option that `options` leave out.',
    scope: 'contacts:write',
    params,
    body: UpdateCustomField,
    status: 200,
    reply: CustomField,
    errors: ['conflict'],
  }),
  archive: route({
    method: 'DELETE',
    path: '/v1/custom-fields/{id}',
    summary: 'Archive a custom field',
    description: 'Records keep their values, which can be cleared but not changed. The field can be restored at any time.',
    scope: 'contacts:write',
    params,
    status: 204,
  }),
  restore: route({
    method: 'POST',
    path: '/v1/custom-fields/{id}/restore',
    summary: 'Restore an archived custom field',
    description: '409 if another field of the entity has taken the name since.',
    scope: 'contacts:write',
    params,
    status: 200,
    reply: CustomField,
    errors: ['conflict'],
  }),
  convert: route({
    method: 'POST',
    path: '/v1/custom-fields/{id}/convert',
    summary: 'Change the type of a custom field',
    description:
      'Converts the values of all records in one transaction. 409 if a value would be lost; `dryRun` lists such values. Converting neither changes `updatedAt` of the records nor emits their events.',
    scope: 'contacts:write',
    params,
    body: ConvertCustomField,
    status: 200,
    reply: CustomFieldConversion,
    errors: ['conflict'],
  }),
}
