import { wireId, type CustomFieldFilter } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { select, type Context } from '../context.ts'
import type { CustomFieldTable } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { parseText } from './convert-value.ts'
import type { CustomFieldRow } from './record.ts'

/** The parameters of the SQL condition of `customFieldFilter`, as JSON. Undefined without a filter. */
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
 * Returns the conditions of a filter by values of custom fields.
 * @throws AppError `bad_request`, field `customField`
 */
export async function customFieldConditions(
  ctx: Context,
  entity: CustomFieldTable['entity'],
  filters: readonly CustomFieldFilter[] | undefined,
): Promise<CustomFieldConditions> {
  if (filters === undefined || filters.length === 0) return { fieldsContain: undefined, fieldRanges: undefined }
  const ids = filters.map(({ id }) => id)
  const rows = await select(ctx, (db) => db.selectFrom('custom_field').selectAll().where('entity', '=', entity).where('id', 'in', ids))
  const fields = new Map(rows.map((row) => [row.id, row]))
  const contained: Record<string, unknown>[] = []
  const ranges: Range[] = []
  for (const { id, value } of filters) {
    const field = fields.get(id)
    if (field === undefined) throw refused(id, 'there is no such custom field')
    const range = rangeOf(field, value)
    if (range === undefined) contained.push({ [wireId('fld', id)]: valueOf(field, value) })
    else ranges.push(range)
  }
  return {
    fieldsContain: contained.length === 0 ? undefined : JSON.stringify(contained),
    fieldRanges: ranges.length === 0 ? undefined : JSON.stringify(ranges),
  }
}

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
