import { select, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'

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
