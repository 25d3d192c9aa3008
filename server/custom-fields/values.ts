import type { CustomFieldValue, ErrorIssue } from '@groundwork/api'
import { isDeepStrictEqual } from 'node:util'
import type { CustomFieldTable, Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { CustomFieldRow } from './record.ts'

export type CustomFieldValues = Readonly<Record<string, unknown>>

/** The type of a field, and its options. */
export type FieldType = Pick<CustomFieldRow, 'type' | 'options'>

type Given = Readonly<Record<string, CustomFieldValue | null>> | null | undefined

/**
 * Returns the stored values of a record after a change: null clears a value, and omitted fields keep theirs; null instead of the
 * values clears all. The fields cannot change until the transaction ends. Call it before the transaction locks the record.
 * @returns a function of the former values, which it merges with the valid new ones. It throws the same error for a value of an archived
 * field that is not the former one.
 * @throws AppError `validation_error`, field `customFields.<id>`, for a value that its field does not accept
 */
export async function checkedCustomFields(
  trx: Transaction,
  entity: CustomFieldTable['entity'],
  given: Given,
): Promise<(before: CustomFieldValues) => CustomFieldValues> {
  if (given === undefined) return (before) => before
  if (given === null) return () => ({})
  const names = Object.keys(given)
  if (names.length === 0) return (before) => before
  const rows = await trx
    .selectFrom('custom_field')
    .selectAll()
    .where('entity', '=', entity)
    .where(
      'id',
      'in',
      names.map((name) => name.slice(-36)),
    )
    .orderBy('id')
    .forShare()
    .execute()
  const fields = new Map(rows.map((row) => [`fld_${row.id}`, row]))
  validValues(fields, given, given)
  return (before) => mergedValues(before, validValues(fields, given, before))
}

/** Returns the values with the changes; null clears a value. */
export const mergedValues = (before: CustomFieldValues, changes: CustomFieldValues): CustomFieldValues =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null))

/**
 * Returns the values as they are stored. A value of an archived field has to equal the one in `before`.
 * @throws AppError `validation_error`, field `customFields.<id>`
 */
export function validValues(
  fields: ReadonlyMap<string, CustomFieldRow>,
  given: NonNullable<Given>,
  before: CustomFieldValues = {},
): CustomFieldValues {
  const issues: ErrorIssue[] = []
  const valid = Object.entries(given).map(([id, value]): [string, unknown] => {
    const field = fields.get(id)
    const message = field === undefined ? 'there is no such custom field' : value === null ? undefined : faultOf(field, value, before[id])
    if (message !== undefined) issues.push({ field: `customFields.${id}`, code: 'custom', message: `customFields.${id}: ${message}` })
    return [id, value === '' || (Array.isArray(value) && value.length === 0) ? null : Array.isArray(value) ? [...new Set(value)] : value]
  })
  const [first] = issues
  if (first !== undefined) throw new AppError('validation_error', first.message, { field: first.field, issues })
  return Object.fromEntries(valid)
}

function faultOf(field: CustomFieldRow, value: CustomFieldValue, before: unknown): string | undefined {
  if (field.archived_at === null) return typeFault(field, value)
  return isDeepStrictEqual(value, before) ? undefined : 'the custom field is archived; its value can only be cleared'
}

/** Returns why the field does not accept the value; undefined if it does. Empty text and an empty array clear the value. */
export function typeFault({ type, options }: FieldType, value: unknown): string | undefined {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? undefined : 'must be text'
    case 'number':
      return typeof value === 'number' ? undefined : 'must be a number'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'date':
      return value === '' || isDate(value) ? undefined : 'must be a date of the form YYYY-MM-DD'
    case 'select':
      return value === '' || hasOption(options, value) ? undefined : `must be the value of an option: ${valuesOf(options)}`
    case 'multiselect':
      return Array.isArray(value) && value.every((each) => hasOption(options, each))
        ? undefined
        : `must be an array of values of options: ${valuesOf(options)}`
    default:
      throw new Error(`a custom field has the type ${String(type satisfies never)}`)
  }
}

const hasOption = (options: FieldType['options'], value: unknown): boolean => (options ?? []).some((option) => option.value === value)

const maxNamedOptions = 10
const valuesOf = (options: FieldType['options']): string => {
  const values = (options ?? []).map(({ value }) => value)
  return values.length > maxNamedOptions ? `${values.slice(0, maxNamedOptions).join(', ')}, …` : values.join(', ')
}

/** Returns whether the value is an existing day of the years 1 to 9999 in the form YYYY-MM-DD. */
export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const day = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
}
