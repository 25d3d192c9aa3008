import { wireId } from '@groundwork/api'
import { select, type Context } from '../context.ts'
import type { CustomFieldTable } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'

/**
 * Returns a function that returns the id of a field in use by its name, in any case, or by its id. It throws AppError
 * `validation_error`, field `customFields`, with the names of all fields if there is none.
 */
export async function fieldIdOf(ctx: Context, entity: CustomFieldTable['entity']): Promise<(nameOrId: string) => string> {
  const rows = await select(ctx, (db) =>
    db.selectFrom('custom_field').select(['id', 'name']).where('entity', '=', entity).where('archived_at', 'is', null).orderBy('name'),
  )
  const ids = new Map(
    rows.flatMap(({ id, name }) => [
      [wireId('fld', id), wireId('fld', id)],
      [name.toLowerCase(), wireId('fld', id)],
    ]),
  )
  return (nameOrId) => {
    const id = ids.get(nameOrId.toLowerCase())
    if (id !== undefined) return id
    const names = rows.length === 0 ? 'There are none.' : `The fields are ${rows.map(({ name }) => name).join(', ')}.`
    throw new AppError('validation_error', `There is no custom field ${JSON.stringify(nameOrId)}. ${names}`, { field: 'customFields' })
  }
}
