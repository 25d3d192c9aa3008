import { atomically, type Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { deleteFilesQueue, type DeleteFiles } from './queue.ts'

/** Files go when the transaction that lets go of them is committed, and not before. */
export async function enqueueFileDeletion(ctx: Context, trx: Transaction, keys: readonly (string | null)[]): Promise<void> {
  const present = keys.filter((key) => key !== null)
  for (let from = 0; from < present.length; from += 500) {
    const data: DeleteFiles = { organizationId: ctx.organizationId, keys: present.slice(from, from + 500) }
    await ctx.jobs.enqueue(trx, deleteFilesQueue, data)
  }
}

/** Deletes each file that no source refers to; running it twice is the same as once. */
export async function deleteFiles(ctx: Context, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const used = await atomically(ctx, (trx) =>
      trx
        .selectFrom('source')
        .select('id')
        .where((where) => where.or([where('original_key', '=', key), where('content_key', '=', key)]))
        .executeTakeFirst(),
    )
    if (used === undefined) await ctx.storage.delete(key)
  }
}
