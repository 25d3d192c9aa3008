import { wireId } from '@groundwork/api'
import { audit } from '../../audit/audit.ts'
import { select, withTransaction, type Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { Storage } from '../../storage/storage.ts'
import { idOf } from './upload-row.ts'

/**
 * Accepts the bytes of an upload that were sent to the storage itself. Does nothing for an unknown, a complete or an empty upload.
 * Handlers call it before their transaction, which must not wait for the storage.
 * @throws AppError `validation_error`, field `storageUrl`, if there are more or fewer bytes than announced; they are deleted
 */
export async function settleUpload(ctx: Context & { readonly storage: Storage }, storageUrl: string | undefined): Promise<void> {
  const id = storageUrl === undefined ? undefined : idOf(storageUrl)
  const { incoming } = ctx.storage
  if (incoming.directOrigin === null || id === undefined) return
  const [row] = await select(ctx, (db) => db.selectFrom('upload').selectAll().where('id', '=', id))
  if (row === undefined || row.received_at !== null) return
  const { storage_key: key, size_bytes: announced } = row
  const sent = await incoming.sentBytes(key)
  if (sent === null) {
    // An earlier request accepted them, and its transaction was undone.
    if (row.parts_id === null && (await ctx.storage.exists(key)) && (await ctx.storage.sizeBytes(key)) === announced)
      await markReceived(ctx, id)
    return
  }
  if (sent !== announced) {
    await incoming.discard(key)
    throw new AppError('validation_error', `storageUrl is the URL of an upload with ${sent} bytes instead of the announced ${announced}`, {
      field: 'storageUrl',
    })
  }
  await withTransaction(ctx, async (trx) => {
    // The lock keeps bytes that are in use: of several requests, the first accepts them.
    const current = await trx.selectFrom('upload').select('received_at').where('id', '=', id).forUpdate().executeTakeFirst()
    if (current === undefined || current.received_at !== null || !(await incoming.accept(key, announced))) return
    await setReceived(ctx, trx, id)
  })
  await incoming.discard(key)
}

const markReceived = (ctx: Context, id: string): Promise<void> => withTransaction(ctx, (trx) => setReceived(ctx, trx, id))

async function setReceived(ctx: Context, trx: Transaction, id: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('upload')
    .set({ received_at: ctx.now() })
    .where('id', '=', id)
    .where('received_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await audit(ctx, trx, { action: 'upload.received', target: wireId('upl', id) })
}
