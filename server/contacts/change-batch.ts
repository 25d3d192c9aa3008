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
  const changed = rows.map((row) => ({ id: row.id, isDeleted: row.deleted_at !== null, contact: toContact(row) }))
  await recordChanges(
    ctx,
    trx,
    changed.map(({ id, contact }) => ({ before: former.get(id), after: contact, origin })),
  )
  const shown = changed.flatMap(({ isDeleted, contact }) => (isDeleted ? [] : [contact]))
  await emitMany(ctx, trx, 'contact.updated', shown)
  return rows.length
}
