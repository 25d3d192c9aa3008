import { sql, type RawBuilder } from 'kysely'
import { select, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'

/**
 * SQL for the id of a contact, or of the one into which it was merged. Use it, or `ofSurvivor`, wherever a request names a contact. A
 * subquery, because row-level security keeps a comparison with `coalesce` itself from using an index.
 */
export const presentContact = (id: string | RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(select coalesce((select alias.contact_id from contact_alias as alias where alias.id = ${id}::uuid), ${id}::uuid))`

/** SQL for an array of such ids. */
export const presentContacts = (ids: readonly string[]): RawBuilder<string[]> =>
  sql<string[]>`array(select ${presentContact(sql`given.id`)} from unnest(${ids}::uuid[]) as given (id))`

/** Returns the id of the contact into which the contact was merged; undefined if it was not. */
async function survivorId(ctx: Context, id: string): Promise<string | undefined> {
  const [alias] = await select(ctx, (db) => db.selectFrom('contact_alias').select('contact_id').where('id', '=', id))
  return alias?.contact_id
}

/**
 * Runs `fn` with the id of a contact; if `fn` finds none and the contact was merged, again with the id of the survivor.
 */
export async function ofSurvivor<T>(ctx: Context, id: string, fn: (contactId: string) => Promise<T>): Promise<T> {
  try {
    return await fn(id)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    const survivor = await survivorId(ctx, id)
    if (survivor === undefined) throw error
    return fn(survivor)
  }
}

/** @throws AppError `conflict` if the contact was merged into another one */
export async function requireNotMerged(trx: Transaction, id: string): Promise<void> {
  const alias = await trx.selectFrom('contact_alias').select('contact_id').where('id', '=', id).executeTakeFirst()
  if (alias === undefined) return
  throw new AppError('conflict', `The contact was merged into ctc_${alias.contact_id}.`)
}
