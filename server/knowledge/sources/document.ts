import type { Selectable } from 'kysely'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { MissingFileError } from '../../storage/storage-error.ts'
import { selectFirstDocument, type Document } from '../rows/documents.ts'
import { requireSource } from '../rows/require-source.ts'

/**
 * Returns the source and document 0 of its live generation, or of its first attempt.
 * @throws AppError `not_found`
 */
export async function requireDocument(
  trx: Transaction,
  baseId: string,
  sourceId: string,
): Promise<{ source: Selectable<SourceTable>; document: Document }> {
  const source = await requireSource(trx, baseId, sourceId)
  const document = await selectFirstDocument(trx, source.live_generation ?? source.generation)
    .where('source_id', '=', source.id)
    .executeTakeFirstOrThrow()
  return { source, document }
}

/**
 * Reports a file that was deleted with replaced content after its row was read.
 * @throws AppError `unavailable`; any other error as it is
 */
export function asReplaced(error: unknown): never {
  if (!(error instanceof MissingFileError)) throw error
  throw new AppError('unavailable', 'The content of this source is being replaced. Try again.', { cause: error })
}
