import { sql } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { enqueueWork, organizationWork } from '../work.ts'

/** Days in which the failed rows of an import can be downloaded. */
const errorDays = 30

/** Deletes the failed rows of an import, and the sample rows of a dry run. */
export const deleteImportErrorsWork = organizationWork<{ importId: string }>('delete-import-errors', (ctx, { importId }) =>
  withTransaction(ctx, async (trx) => {
    await trx.deleteFrom('contact_import_error').where('import_id', '=', importId).execute()
    await trx
      .updateTable('contact_import')
      .set({ plan: sql`plan - 'samples'` })
      .where('id', '=', importId)
      .execute()
  }),
)

/** Deletes what only a running import needs, and queues the deletion of its failed rows. */
export async function afterEnd(ctx: Context, trx: Transaction, importId: string): Promise<void> {
  await trx.deleteFrom('contact_import_former_key').where('import_id', '=', importId).execute()
  await enqueueWork(ctx, trx, deleteImportErrorsWork, { importId }, { delaySeconds: errorDays * 86_400 })
}
