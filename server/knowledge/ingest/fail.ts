import { atomically } from '../../context.ts'
import { emit } from '../../events/emit.ts'
import type { SourceError } from '../../lib/errors.ts'
import { deleteGeneration } from '../search/write.ts'
import { toSource } from '../sources/record.ts'
import { Superseded, updateFenced, type Attempt } from './fence.ts'

/** Ends the attempt: the source is `failed` with a reason, what the attempt wrote is gone, what served before serves on. */
export async function failSource(attempt: Attempt, reason: SourceError): Promise<void> {
  try {
    await atomically(attempt.ctx, async (trx) => {
      const row = await updateFenced(trx, attempt, { status: 'failed', error: reason.message, error_code: reason.code })
      await deleteGeneration(trx, { baseId: row.base_id, generation: attempt.generation })
      await emit(attempt.ctx, trx, 'source.failed', toSource(row))
    })
  } catch (error) {
    if (!(error instanceof Superseded)) throw error
  }
}
