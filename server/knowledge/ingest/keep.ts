import { atomically } from '../../context.ts'
import { enqueueFileDeletion } from './delete-files.ts'
import { Superseded, updateFenced, type Attempt } from './fence.ts'
import type { Updateable } from 'kysely'
import type { SourceTable } from '../../db/schema.ts'

/**
 * Stores a file of the source and refers to it, in place of the one that `column` named before.
 * @throws Superseded; the file is gone again then
 */
export async function keepFile(
  { ctx, ...attempt }: Attempt,
  column: 'original_key' | 'content_key',
  file: { key: string; bytes: Uint8Array },
  changes: Updateable<SourceTable>,
): Promise<void> {
  await ctx.storage.write(file.key, file.bytes)
  try {
    await atomically(ctx, async (trx) => {
      const before = await updateFenced(trx, { ctx, ...attempt }, {})
      await updateFenced(trx, { ctx, ...attempt }, { ...changes, [column]: file.key })
      if (before[column] !== file.key) await enqueueFileDeletion(ctx, trx, [before[column]])
    })
  } catch (error) {
    if (error instanceof Superseded) await ctx.storage.delete(file.key)
    throw error
  }
}
