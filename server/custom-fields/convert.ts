import { wireId, type ConvertCustomField, type CustomFieldConversion, type CustomFieldOption } from '@groundwork/api'
import { sql } from 'kysely'
import { audit } from '../audit/audit.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { convertValue } from './convert-value.ts'
import { lockField, withOptionLabels } from './fields.ts'
import { toCustomField, type CustomFieldRow } from './record.ts'
import type { FieldType } from './values.ts'

const maxLostValues = 100
const maxOptions = 200
const maxOptionLength = 120
const batchSize = 2000

type Lost = CustomFieldConversion['lostValues'][number]

/**
 * Changes the type of a field together with all its values.
 * @throws AppError `not_found`; `conflict` if a value would be lost; `validation_error`, field `options`; `forbidden` for an agent
 */
export async function convertField(ctx: Context, id: string, input: ConvertCustomField): Promise<CustomFieldConversion> {
  requirePerson(ctx)
  return withTransaction(ctx, async (trx) => {
    const field = await lockField(trx, id)
    const to: FieldType = { type: input.type, options: await optionsFor(trx, field, input) }
    const lostValues: Lost[] = []
    const counts = { kept: 0, lost: 0 }
    for (const place of placesOf(field)) {
      for await (const values of valuesInBatches(trx, place)) {
        const converted = values.flatMap(({ id: storedId, recordId, value }) => {
          const next = convertValue(value, field, to)
          if (next !== undefined) return [{ id: storedId, value: next }]
          if (place.content === 'copies') return []
          counts.lost += 1
          if (lostValues.length < maxLostValues)
            lostValues.push({ recordId: wireId(field.entity === 'contact' ? 'ctc' : 'co', recordId), value })
          return []
        })
        if (place.content === 'records') counts.kept += converted.length
        if (!input.dryRun && counts.lost === 0) await storeValues(trx, place, converted)
      }
    }
    if (input.dryRun) return { dryRun: true, ...counts, lostValues, field: toCustomField(field) }
    if (counts.lost > 0) {
      throw new AppError('conflict', `${counts.lost} values cannot be converted to ${input.type}. dryRun lists them.`, { field: 'type' })
    }
    const row = await trx
      .updateTable('custom_field')
      .set({ type: to.type, options: to.options === null ? null : JSON.stringify(to.options), updated_at: ctx.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'custom_field.converted', target: wireId('fld', id) })
    return { dryRun: false, ...counts, lostValues, field: toCustomField(row) }
  })
}

/** Returns the options of the new type: the given ones, those of the field, or the values in use; null for other types. */
async function optionsFor(trx: Transaction, field: CustomFieldRow, { type, options }: ConvertCustomField): Promise<FieldType['options']> {
  const isSelect = type === 'select' || type === 'multiselect'
  if (!isSelect && options !== undefined) {
    throw new AppError('validation_error', 'options: is only allowed for select and multiselect', { field: 'options' })
  }
  if (!isSelect) return null
  if (options !== undefined) return withOptionLabels(options)
  if (field.options !== null) return field.options
  const places = placesOf(field).map(
    ({ table, column, path }) => sql`select ${sql.ref(column)} #>> ${path}::text[] as value from ${sql.table(table)}`,
  )
  const { rows } = await sql<{ value: string }>`
    select distinct value from (${sql.join(places, sql` union all `)}) as stored where value is not null
    order by value limit ${maxOptions + 1}`.execute(trx)
  if (rows.length > maxOptions || rows.length === 0 || rows.some(({ value }) => value.length > maxOptionLength)) {
    const reason =
      rows.length === 0
        ? 'no record has a value'
        : `there are more than ${maxOptions} different values, or longer ones than ${maxOptionLength} characters`
    throw new AppError('validation_error', `options: is required, since ${reason}`, { field: 'options' })
  }
  return rows.map(({ value }): CustomFieldOption => ({ value, label: value }))
}

/** Where values of a field are stored. */
interface Place {
  readonly table: string
  readonly key: string
  /** The column with the id of the record that has the values, or would have them. */
  readonly record: string
  readonly column: string
  readonly path: readonly string[]
  /** Those of records; former ones, which a record has again if a merge is undone; or copies of values that are in one of the others. */
  readonly content: 'records' | 'former' | 'copies'
}

/** Returns where the values of the field are: those of all records, also of deleted ones, and those that undo merges. */
function placesOf({ id, entity }: CustomFieldRow): Place[] {
  const name = wireId('fld', id)
  const records = { table: entity, key: 'id', record: 'id', column: 'custom_fields', path: [name], content: 'records' } as const
  const merges =
    entity === 'contact'
      ? (side: string) => ({ table: 'contact_merge', key: 'merged_id', record: 'survivor_id', column: side, path: ['customFields', name] })
      : (side: string) => ({
          table: 'company',
          key: 'id',
          record: 'merged_into',
          column: 'merged_values',
          path: [side, 'customFields', name],
        })
  return [records, { ...merges('before'), content: 'former' }, { ...merges('after'), content: 'copies' }]
}

interface StoredValue {
  readonly id: string
  readonly value: unknown
}

async function* valuesInBatches(
  trx: Transaction,
  { table, key, record, column, path }: Place,
): AsyncGenerator<(StoredValue & { readonly recordId: string })[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  const value = sql`${sql.ref(column)} #> ${path}::text[]`
  for (;;) {
    const { rows } = await sql<StoredValue & { recordId: string }>`
      select ${sql.ref(key)} as id, ${sql.ref(record)} as "recordId", ${value} as value from ${sql.table(table)}
      where ${sql.ref(key)} > ${after} and ${value} is not null
      order by ${sql.ref(key)} limit ${batchSize} for update`.execute(trx)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return
    after = last.id
  }
}

async function storeValues(trx: Transaction, { table, key, column, path }: Place, values: readonly StoredValue[]): Promise<void> {
  await sql`
    update ${sql.table(table)} as stored
    set ${sql.ref(column)} = jsonb_set(stored.${sql.ref(column)}, ${path}::text[], converted.value::jsonb)
    from unnest(${values.map((each) => each.id)}::uuid[], ${values.map((each) => JSON.stringify(each.value))}::text[])
      as converted (id, value)
    where stored.${sql.ref(key)} = converted.id`.execute(trx)
}
