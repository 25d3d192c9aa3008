import type { Updateable } from 'kysely'
import { defer } from '../../db/deferred.ts'
import type { ReindexSourceTable, Transaction } from '../../db/schema.ts'
import type { KnowledgeContext } from '../context.ts'
import { Superseded } from '../rows/attempt.ts'
import type { BuildShadow } from './queue.ts'
import { isOpen, type ReindexSourceRow } from './rows.ts'

/** The build of one source for a re-index. */
export interface Build extends BuildShadow {
  readonly ctx: KnowledgeContext
  readonly signal: AbortSignal
}

/**
 * Locks and returns the row of the source, if its content is still live and the re-index is open. Other writes of the
 * transaction are committed only together with it.
 * @throws Superseded
 */
export async function fenceBuild(trx: Transaction, build: Build): Promise<ReindexSourceRow> {
  const { reindexId, sourceId, generation } = build
  const source = await trx.selectFrom('source').select('live_generation').where('id', '=', sourceId).forKeyShare().executeTakeFirst()
  const [reindex, row] = await Promise.all([
    trx.selectFrom('reindex').select(['status', 'kept_until']).where('id', '=', reindexId).forShare().executeTakeFirst(),
    buildingRow(trx, build).forUpdate().executeTakeFirst(),
  ])
  if (row === undefined || reindex === undefined || !isOpen(reindex) || source?.live_generation !== row.of_generation) {
    throw new Superseded(`source ${sourceId} is no longer built under generation ${generation}`)
  }
  return row
}

/** Returns the row of the source, if it is built under the build's generation. */
export const buildingRow = (trx: Transaction, { reindexId, sourceId, generation }: BuildShadow) =>
  trx
    .selectFrom('reindex_source')
    .selectAll()
    .where('reindex_id', '=', reindexId)
    .where('source_id', '=', sourceId)
    .where('generation', '=', generation)
    .where('status', '=', 'building')

/** Stores the state of the build; the caller has locked the row. The statement is deferred. */
export async function noteBuild(
  trx: Transaction,
  { reindexId, sourceId }: Pick<Build, 'reindexId' | 'sourceId'>,
  changes: Updateable<ReindexSourceTable>,
): Promise<void> {
  const update = trx.updateTable('reindex_source').set(changes).where('reindex_id', '=', reindexId).where('source_id', '=', sourceId)
  await defer(trx, update.compile())
}
