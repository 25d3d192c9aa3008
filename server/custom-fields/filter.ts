import { wireId, type CustomFieldFilter } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { select, type Context } from '../context.ts'
import type { CustomFieldTable } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { parseText } from './convert-value.ts'
import type { CustomFieldRow } from './record.ts'

/** A filter by values of custom fields, by the public ids of the fields. */
export interface FieldFilter {
  readonly values: readonly (readonly [id: string, value: unknown])[]
  readonly ranges: readonly Range[]
}

/** The parameters of the SQL condition of a filter, as JSON. Undefined without one. */
export interface CustomFieldConditions {
  readonly fieldsContain: string | undefined
  readonly fieldRanges: string | undefined
}

interface Range {
  readonly id: string
  readonly isNumber: boolean
  readonly min: string | null
  readonly max: string | null
}

/**
 * Returns the filter with values of the types of the fields.
 * @throws AppError `bad_request`, field `customField`
 */
export async function readFieldFilter(
  ctx: Context,
  entity: CustomFieldTable['entity'],
  filters: readonly CustomFieldFilter[] | undefined,
): Promise<FieldFilter> {
  if (filters === undefined || filters.length === 0) return { values: [], ranges: [] }
  const ids = filters.map(({ id }) => id)
  const rows = await select(ctx, (db) => db.selectFrom('custom_field').selectAll().where('entity', '=', entity).where('id', 'in', ids))
  const fields = new Map(rows.map((row) => [row.id, row]))
  const values: [string, unknown][] = []
  const ranges: Range[] = []
  for (const { id, value } of filters) {
    const field = fields.get(id)
    if (field === undefined) throw refused(id, 'there is no such custom field')
    const range = rangeOf(field, value)
    if (range === undefined) values.push([wireId('fld', id), valueOf(field, value)])
    else ranges.push(range)
  }
  return { values, ranges }
}

export const customFieldConditions = ({ values, ranges }: FieldFilter): CustomFieldConditions => ({
  fieldsContain: values.length === 0 ? undefined : JSON.stringify(values.map(([id, value]) => ({ [id]: value }))),
  fieldRanges: ranges.length === 0 ? undefined : JSON.stringify(ranges),
})

function rangeOf(field: CustomFieldRow, value: string): Range | undefined {
  const [, from, to] = /^(.*?)\.\.(.*)$/.exec(value) ?? []
  if (from === undefined || to === undefined || (field.type !== 'number' && field.type !== 'date')) return undefined
  const bound = (text: string): string | null => (text === '' ? null : String(valueOf(field, text)))
  return { id: wireId('fld', field.id), isNumber: field.type === 'number', min: bound(from), max: bound(to) }
}

function valueOf(field: CustomFieldRow, text: string): unknown {
  const value = parseText(text, field)
  if (value === undefined) throw refused(field.id, `${text} is not a value of type ${field.type}`)
  return value
}

const refused = (id: string, message: string): AppError =>
  new AppError('bad_request', `customField: ${wireId('fld', id)}: ${message}`, { field: 'customField' })

/** Returns the SQL condition that a record has all values and is in all ranges. */
export const containsFields = (fieldsContain: string): RawBuilder<boolean> =>
  sql`custom_fields @> all (array(select jsonb_array_elements(${fieldsContain}::jsonb)))`

export const inFieldRanges = (fieldRanges: string): RawBuilder<boolean> =>
  sql`not exists (
    select from jsonb_to_recordset(${fieldRanges}::jsonb) as wanted (id text, "isNumber" boolean, min text, max text)
    where not (custom_fields ? wanted.id) or case when wanted."isNumber"
      then (custom_fields ->> wanted.id)::numeric < wanted.min::numeric or (custom_fields ->> wanted.id)::numeric > wanted.max::numeric
      else (custom_fields ->> wanted.id) < wanted.min collate "C" or (custom_fields ->> wanted.id) > wanted.max collate "C" end is true)`
