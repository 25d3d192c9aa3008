import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import type { Storage } from '../storage/storage.ts'
import { enqueueWork, organizationWork } from '../work.ts'
import type { FileContext } from './context.ts'
import { namingField, type UploadedFile } from './uploaded-file.ts'

/** A file in the storage, and the upload that it was copied from. */
export interface StoredFile {
  readonly uploadId: string
  readonly key: string
}

/**
 * Stores a file in the transaction that refers to it.
 * @throws AppError `validation_error` with the field if the upload was deleted meanwhile
 */
export async function storeFile(
  ctx: FileContext,
  trx: Transaction,
  { storageUrl, sha256, bytes }: UploadedFile,
  field: string,
): Promise<StoredFile> {
  const upload = await namingField(field, ctx.uploads.take(trx, storageUrl))
  // The hash separates this content from one that was uploaded again before the upload was used.
  const key = `${ctx.organizationId}/files/${upload.id}-${sha256.slice(0, 16)}`
  if (!(await ctx.storage.exists(key))) await ctx.storage.write(key, bytes)
  return { uploadId: upload.id, key }
}

interface DeleteFiles {
  readonly files: readonly StoredFile[]
}

/** Deletes each file that nothing refers to. */
export const deleteStoredFilesWork = organizationWork<DeleteFiles, Context & { readonly storage: Storage }>(
  'delete-stored-files',
  async (ctx, { files }) => {
    for (const file of files) {
      await withTransaction(ctx, async (trx) => {
        // `storeFile` locks the upload: it either sees that the file is gone, or its reference is visible here.
        await trx.selectFrom('upload').select('id').where('id', '=', file.uploadId).forUpdate().execute()
        if (!(await isReferred(trx, file.key))) await ctx.storage.delete(file.key)
      })
    }
  },
)

/** Queues the deletion of files that may be unreferenced once the transaction is committed. */
export async function enqueueStoredFileDeletion(ctx: Context, trx: Transaction, files: readonly StoredFile[]): Promise<void> {
  if (files.length > 0) await enqueueWork(ctx, trx, deleteStoredFilesWork, { files })
}

async function isReferred(trx: Transaction, key: string): Promise<boolean> {
  const file = await trx.selectFrom('proposal_file').select('proposal_id').where('storage_key', '=', key).limit(1).executeTakeFirst()
  if (file !== undefined) return true
  const { logo } = await trx.selectFrom('organization').select('logo').executeTakeFirstOrThrow()
  return logo?.key === key
}
