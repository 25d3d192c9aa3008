import { withTransaction } from '../../context.ts'
import { emit } from '../../events/emit.ts'
import { notifySettled } from '../rows/source-subscriber.ts'
import { toSource } from '../rows/source-record.ts'
import { dropAttempt } from './begin.ts'
import type { Document } from '../rows/documents.ts'
import { asServing, updateFenced, type Attempt } from '../rows/attempt.ts'

/**
 * Ends an attempt that found what serves already: nothing is written but that it was looked at.
 * @param fetched the document that turned out the same; null when the address said so itself
 * @throws Superseded
 */
export async function keepServing(attempt: Attempt, fetched: Document | null): Promise<void> {
  await withTransaction(attempt.ctx, async (trx) => {
    const row = await updateFenced(trx, attempt, {})
    if (fetched !== null) {
      const { etag, last_modified, ordinal } = fetched
      await trx
        .updateTable('document')
        .set({ etag, last_modified })
        .where('generation', '=', row.live_generation)
        .where('ordinal', '=', ordinal)
        .execute()
    }
    const ended = await updateFenced(trx, attempt, { ...asServing(row), last_synced_at: attempt.ctx.now() })
    await dropAttempt(attempt.ctx, trx, row)
    await notifySettled(attempt.ctx, trx, ended)
    if (!row.silent) await emit(attempt.ctx, trx, 'source.completed', toSource(ended))
  })
}
