import { atomically, type Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { enqueueWork, organizationWork } from '../../work.ts'

interface DeleteFiles {
  keys: string[]
}

export const deleteFilesWork = organizationWork<DeleteFiles>('delete-files', (ctx, { keys }) => deleteFiles(ctx, keys))

/** Files go when the transaction that lets go of them is committed, and not before. */
export async function enqueueFileDeletion(ctx: Context, trx: Transaction, keys: readonly (string | null)[]): Promise<void> {
  const present = keys.filter((key) => key !== null)
  for (let from = 0; from < present.length; from += 500) {
    await enqueueWork(ctx, trx, deleteFilesWork, { keys: present.slice(from, from + 500) })
  }
}

/** Deletes each file that no source refers to. */
async function deleteFiles(ctx: Context, keys: readonly string[]): Promise<void> {
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
