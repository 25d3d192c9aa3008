import { atomically } from '../../context.ts'
import { emit } from '../../events/emit.ts'
import type { SourceError } from '../../lib/errors.ts'
import { deleteGeneration } from '../search/write.ts'
import { toSource } from '../sources/record.ts'
import { dropAttempt } from './begin.ts'
import { asServing, Superseded, updateFenced, type Attempt } from './fence.ts'

/**
 * Ends the attempt with a reason, and what it wrote is gone. A source without earlier content is `failed`; one that has
 * some is `completed` as before, which serves on, and tells the reason beside it.
 */
export async function failSource(attempt: Attempt, reason: SourceError): Promise<void> {
  try {
    await atomically(attempt.ctx, async (trx) => {
      const row = await updateFenced(trx, attempt, {})
      const failed = { error: reason.message, error_code: reason.code }
      const ended = await updateFenced(
        trx,
        attempt,
        row.live_generation === null ? { ...failed, status: 'failed' } : { ...failed, ...asServing(row) },
      )
      if (row.live_generation === null) await deleteGeneration(trx, { baseId: row.base_id, generation: attempt.generation })
      else await dropAttempt(attempt.ctx, trx, row)
      await emit(attempt.ctx, trx, 'source.failed', toSource(ended))
    })
  } catch (error) {
    if (!(error instanceof Superseded)) throw error
  }
}
