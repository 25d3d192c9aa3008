import {
  wireId,
  type CreateCustomField,
  type CustomField,
  type CustomFieldOption,
  type ListCustomFields,
  type UpdateCustomField,
} from '@groundwork/api'
import { sql } from 'kysely'
import { audit } from '../audit/audit.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import { select, withTransaction, type Context } from '../context.ts'
import { changedColumns, isEmpty } from '../db/changed-columns.ts'
import { requireBelow } from '../db/counted-limit.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { Transaction } from '../db/schema.ts'
import { violatedIndex } from '../db/violations.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { toCustomField, type CustomFieldRow } from './record.ts'

const maxFields = 200

/** @throws AppError `conflict` if the name is taken or there are too many fields */
export function createField(ctx: Context, input: CreateCustomField): Promise<CustomField> {
  return withUniqueName(ctx, async (trx) => {
    await requireBelow(trx, {
      table: 'custom_field',
      max: maxFields,
      message: `An organization can have at most ${maxFields} custom fields.`,
    })
    const now = ctx.now()
    const row = await trx
      .insertInto('custom_field')
      .values({
        organization_id: ctx.organizationId,
        id: newId(now.getTime()),
        entity: input.entity,
        name: input.name,
        type: input.type,
        options: input.options === undefined ? null : JSON.stringify(withOptionLabels(input.options)),
        archived_at: null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'custom_field.created', target: wireId('fld', row.id) })
    return toCustomField(row)
  })
}

/** @throws AppError `not_found` */
export async function getField(ctx: Context, id: string): Promise<CustomField> {
  const [row] = await select(ctx, (db) => db.selectFrom('custom_field').selectAll().where('id', '=', id))
  if (row === undefined) throw noSuchField()
  return toCustomField(row)
}

/** @throws AppError `bad_request`, field `cursor` */
export async function listFields(ctx: Context, input: ListCustomFields): Promise<{ data: CustomField[]; nextCursor: string | null }> {
  const found = await select(ctx, (db) => {
    const query = db
      .selectFrom('custom_field')
      .selectAll()
      .where('archived_at', input.archived === true ? 'is not' : 'is', null)
    return newestFirst(input.entity === undefined ? query : query.where('entity', '=', input.entity), 'custom_field', input)
  })
  const { rows, nextCursor } = pageOf(found, input.limit)
  return { data: rows.map(toCustomField), nextCursor }
}

/**
 * Changes name and options.
 * @throws AppError `not_found`; `conflict` if the name is taken or a record has the value of a removed option; `validation_error`,
 * field `options`, if the type has none; `forbidden` for an agent
 */
export async function updateField(ctx: Context, id: string, { name, options }: UpdateCustomField): Promise<CustomField> {
  requirePerson(ctx)
  return withUniqueName(ctx, async (trx) => {
    const field = await lockField(trx, id)
    if (options !== undefined) await requireRemovable(trx, field, options)
    const changed = changedColumns(field, {
      ...(name !== undefined && { name }),
      ...(options !== undefined && { options: JSON.stringify(withOptionLabels(options)) }),
    })
    if (isEmpty(changed)) return toCustomField(field)
    const row = await trx
      .updateTable('custom_field')
      .set({ ...changed, updated_at: ctx.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'custom_field.updated', target: wireId('fld', id) })
    return toCustomField(row)
  })
}

/** @throws AppError `not_found`, also if it is archived already; `forbidden` for an agent */
export async function archiveField(ctx: Context, id: string): Promise<void> {
  requirePerson(ctx)
  return withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    const archived = await trx
      .updateTable('custom_field')
      .set({ archived_at: now, updated_at: now })
      .where('id', '=', id)
      .where('archived_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (archived === undefined) throw noSuchField()
    await audit(ctx, trx, { action: 'custom_field.archived', target: wireId('fld', id) })
  })
}

/**
 * Restores an archived field. Returns a field that is in use unchanged.
 * @throws AppError `not_found`; `conflict` if the name is taken; `forbidden` for an agent
 */
export async function restoreField(ctx: Context, id: string): Promise<CustomField> {
  requirePerson(ctx)
  return withUniqueName(ctx, async (trx) => {
    const field = await lockField(trx, id)
    if (field.archived_at === null) return toCustomField(field)
    const row = await trx
      .updateTable('custom_field')
      .set({ archived_at: null, updated_at: ctx.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'custom_field.restored', target: wireId('fld', id) })
    return toCustomField(row)
  })
}

/** @throws AppError `not_found` */
export async function lockField(trx: Transaction, id: string): Promise<CustomFieldRow> {
  const row = await trx.selectFrom('custom_field').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (row === undefined) throw noSuchField()
  return row
}

export const withOptionLabels = (options: readonly { value: string; label?: string | undefined }[]): CustomFieldOption[] =>
  options.map(({ value, label = value }) => ({ value, label }))

/** @throws AppError if a record has the value of an option that is not among `options` */
async function requireRemovable(trx: Transaction, field: CustomFieldRow, options: readonly { value: string }[]): Promise<void> {
  if (field.options === null) {
    throw new AppError('validation_error', `options: a field of type ${field.type} has none`, { field: 'options' })
  }
  const kept = new Set(options.map(({ value }) => value))
  const removed = field.options.flatMap(({ value }) => (kept.has(value) ? [] : [value]))
  if (removed.length === 0) return
  const { rows } = await sql<{ value: string; count: number }>`
    select value, count(*)::integer as count from ${sql.table(field.entity)},
      lateral jsonb_array_elements_text(case jsonb_typeof(custom_fields -> ${wireId('fld', field.id)})
        when 'array' then custom_fields -> ${wireId('fld', field.id)} else jsonb_build_array(custom_fields -> ${wireId('fld', field.id)}) end) as value
    where custom_fields ? ${wireId('fld', field.id)} and value = any (${removed}::text[])
    group by value order by count(*) desc, value limit 1`.execute(trx)
  const [used] = rows
  if (used === undefined) return
  throw new AppError('conflict', `options: ${used.count} records have the value ${used.value}. Change these records first.`, {
    field: 'options',
  })
}

const noSuchField = (): AppError => new AppError('not_found', 'There is no such custom field.')

async function withUniqueName<T>(ctx: Context, fn: (trx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await withTransaction(ctx, fn)
  } catch (cause) {
    if (violatedIndex(cause) !== 'custom_field_name') throw cause
    throw new AppError('conflict', 'Another custom field has this name.', { field: 'name', cause })
  }
}
