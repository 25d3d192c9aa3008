import { wireId, type ConvertCustomField, type CustomFieldConversion, type CustomFieldOption } from '@groundwork/api'
import { sql } from 'kysely'
import { audit } from '../audit/audit.ts'
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
 * @throws AppError `not_found`; `conflict` if a value would be lost; `validation_error`, field `options`
 */
export function convertField(ctx: Context, id: string, input: ConvertCustomField): Promise<CustomFieldConversion> {
  return withTransaction(ctx, async (trx) => {
    const field = await lockField(trx, id)
    const to: FieldType = { type: input.type, options: await optionsFor(trx, field, input) }
    const lostValues: Lost[] = []
    const counts = { kept: 0, lost: 0 }
    for await (const values of valuesInBatches(trx, field)) {
      const converted = values.flatMap(({ id: recordId, value }) => {
        const next = convertValue(value, field, to)
        if (next === undefined && lostValues.length < maxLostValues)
          lostValues.push({ recordId: wireId(field.entity === 'contact' ? 'ctc' : 'co', recordId), value })
        return next === undefined ? [] : [{ id: recordId, value: next }]
      })
      counts.kept += converted.length
      counts.lost += values.length - converted.length
      if (!input.dryRun && counts.lost === 0) await storeValues(trx, field, converted)
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
  const { rows } = await sql<{ value: string }>`
    select distinct custom_fields ->> ${wireId('fld', field.id)} as value from ${sql.table(field.entity)}
    where custom_fields ? ${wireId('fld', field.id)} order by value limit ${maxOptions + 1}`.execute(trx)
  if (rows.length > maxOptions || rows.length === 0 || rows.some(({ value }) => value.length > maxOptionLength)) {
    const reason =
      rows.length === 0
        ? 'no record has a value'
        : `there are more than ${maxOptions} different values, or longer ones than ${maxOptionLength} characters`
    throw new AppError('validation_error', `options: is required, since ${reason}`, { field: 'options' })
  }
  return rows.map(({ value }): CustomFieldOption => ({ value, label: value }))
}

interface StoredValue {
  readonly id: string
  readonly value: unknown
}

/** Yields the values of the field in all records, also of deleted ones. */
async function* valuesInBatches(trx: Transaction, { id, entity }: CustomFieldRow): AsyncGenerator<StoredValue[]> {
  const key = wireId('fld', id)
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<StoredValue>`
      select id, custom_fields -> ${key} as value from ${sql.table(entity)} where id > ${after} and custom_fields ? ${key}
      order by id limit ${batchSize} for update`.execute(trx)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return
    after = last.id
  }
}

async function storeValues(trx: Transaction, { id, entity }: CustomFieldRow, values: readonly StoredValue[]): Promise<void> {
  await sql`
    update ${sql.table(entity)} as record set custom_fields = jsonb_set(record.custom_fields, ${[wireId('fld', id)]}, converted.value::jsonb)
    from unnest(${values.map((each) => each.id)}::uuid[], ${values.map(({ value }) => JSON.stringify(value))}::text[]) as converted (id, value)
    where record.id = converted.id`.execute(trx)
}
