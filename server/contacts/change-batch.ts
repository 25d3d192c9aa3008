import { sql, type Expression, type SqlBool, type UpdateObject } from 'kysely'
import type { Context } from '../context.ts'
import type { Schema, Transaction } from '../db/schema.ts'
import { emitMany } from '../events/emit.ts'
import { recordChanges, type Origin } from './changes.ts'
import { toContact } from './record.ts'

/** Contacts per transaction. Other events of the organization wait while one writes its events. */
export const batchSize = 500

/**
 * Changes up to `batchSize` of the contacts that match. Deleted contacts change without an event.
 * @param changes after which a contact does not match any more
 * @param origin for the history of the contacts
 * @returns the number of changed contacts
 */
export async function changeBatch(
  ctx: Context,
  trx: Transaction,
  matching: Expression<SqlBool>,
  changes: UpdateObject<Schema, 'contact'>,
  origin?: Origin,
): Promise<number> {
  // A subquery of the update could run again for each row, and exceed the limit.
  const chosen = await trx.selectFrom('contact').selectAll().where(matching).orderBy('id').limit(batchSize).forUpdate().execute()
  const ids = chosen.map(({ id }) => id)
  const former = new Map(chosen.map((row) => [row.id, toContact(row)]))
  const rows = await trx
    .updateTable('contact')
    .set({ ...changes, updated_at: ctx.now() })
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .returningAll()
    .execute()
  await recordChanges(
    ctx,
    trx,
    rows.map((row) => ({ before: former.get(row.id), after: toContact(row), origin })),
  )
  const shown = rows.filter(({ deleted_at }) => deleted_at === null)
  await emitMany(ctx, trx, 'contact.updated', shown.map(toContact))
  return rows.length
}
