import type { Source } from '@groundwork/api'
import { withTransaction } from '../../context.ts'
import { AppError, SourceError } from '../../lib/errors.ts'
import type { KnowledgeContext } from '../context.ts'
import { endFailed } from '../ingest/settle.ts'
import { requireSource } from '../rows/require-source.ts'

/**
 * Cancels the processing of a source; a worker that holds its job writes nothing more.
 * @throws AppError `not_found`, `conflict` if the source is not being processed
 */
export function cancelSource(ctx: KnowledgeContext, baseId: string, sourceId: string): Promise<Source> {
  return withTransaction(ctx, async (trx) => {
    const row = await requireSource(trx, baseId, sourceId, 'update')
    if (row.status !== 'processing')
      throw new AppError('conflict', `Only a source that is processing can be cancelled. The status of this source is ${row.status}.`)
    return endFailed(ctx, trx, row, new SourceError('cancelled', 'Processing was cancelled.'), 'source.cancelled')
  })
}
