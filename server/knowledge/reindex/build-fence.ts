import type { Updateable } from 'kysely'
import type { Context } from '../../context.ts'
import type { ReindexSourceTable, Transaction } from '../../db/schema.ts'
import { Superseded } from '../ingest/fence.ts'
import type { BuildShadow } from './queue.ts'
import { isOpen, type ReindexSourceRow } from './rows.ts'

/** One source that is built for a re-index. */
export interface Build extends BuildShadow {
  readonly ctx: Context
  readonly signal: AbortSignal
}

/**
 * The row of the source that is built, if it still is: of the content that serves, for a re-index at work. What else the
 * transaction writes is kept only together with a source that wants it.
 * @throws Superseded
 */
export async function fenceBuild(trx: Transaction, build: Build): Promise<ReindexSourceRow> {
  const { reindexId, sourceId, generation } = build
  const source = await trx.selectFrom('source').select('live_generation').where('id', '=', sourceId).forKeyShare().executeTakeFirst()
  const reindex = await trx.selectFrom('reindex').select(['status', 'kept_until']).where('id', '=', reindexId).forShare().executeTakeFirst()
  const row = await buildingRow(trx, build).forUpdate().executeTakeFirst()
  if (row === undefined || reindex === undefined || !isOpen(reindex) || source?.live_generation !== row.of_generation) {
    throw new Superseded(`source ${sourceId} is no longer built under generation ${generation}`)
  }
  return row
}

/** The row of the source, while it is built under the build's generation. */
export const buildingRow = (trx: Transaction, { reindexId, sourceId, generation }: BuildShadow) =>
  trx
    .selectFrom('reindex_source')
    .selectAll()
    .where('reindex_id', '=', reindexId)
    .where('source_id', '=', sourceId)
    .where('generation', '=', generation)
    .where('status', '=', 'building')

/** Writes down what has become of the source, whose row the caller holds. */
export async function noteBuild(
  trx: Transaction,
  { reindexId, sourceId }: Pick<Build, 'reindexId' | 'sourceId'>,
  changes: Updateable<ReindexSourceTable>,
): Promise<void> {
  await trx.updateTable('reindex_source').set(changes).where('reindex_id', '=', reindexId).where('source_id', '=', sourceId).execute()
}
