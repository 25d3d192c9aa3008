import { withTransaction, type Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { enqueueWork, organizationWork } from '../../work.ts'
import type { KnowledgeContext } from '../context.ts'

interface DeleteFiles {
  keys: string[]
}

export const deleteFilesWork = organizationWork<DeleteFiles, KnowledgeContext>('delete-files', (ctx, { keys }) => deleteFiles(ctx, keys))

/** Queues the deletion of files that are then unreferenced, after the transaction is committed and the delay is over. */
export async function enqueueFileDeletion(
  ctx: Context,
  trx: Transaction,
  keys: readonly (string | null)[],
  options?: { delaySeconds: number },
): Promise<void> {
  const present = keys.filter((key) => key !== null)
  for (let from = 0; from < present.length; from += 500) {
    await enqueueWork(ctx, trx, deleteFilesWork, { keys: present.slice(from, from + 500) }, options)
  }
}

/** Deletes each file that no document or page refers to, with its upload: its storageUrl is no longer accepted. */
async function deleteFiles(ctx: KnowledgeContext, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const unused = await withTransaction(ctx, async (trx) => {
      // A transaction that creates a source from an upload locks it: either its document is visible here, or the upload is gone
      // there.
      const upload = await trx.selectFrom('upload').select('parts_id').where('storage_key', '=', key).forUpdate().executeTakeFirst()
      const document = await trx
        .selectFrom('document')
        .select('source_id')
        .where((where) => where.or([where('original_key', '=', key), where('content_key', '=', key)]))
        .executeTakeFirst()
      const page = await trx.selectFrom('source_page').select('id').where('content_key', '=', key).executeTakeFirst()
      if (document !== undefined || page !== undefined) return null
      await trx.deleteFrom('upload').where('storage_key', '=', key).execute()
      return { partsId: upload?.parts_id ?? null }
    })
    if (unused !== null) await ctx.storage.delete(key)
    if (unused?.partsId != null) await ctx.storage.cancelWrite({ key, id: unused.partsId })
    // Its URL may have been used again after the bytes were accepted.
    if (ctx.storage.incoming.directOrigin !== null && key.includes('/originals/')) await ctx.storage.incoming.discard(key)
  }
}
