import { enqueueBuild } from '../knowledge/reindex/queue.ts'
import type { Finding } from './checks.ts'
import type { DoctorTools } from './doctor.ts'

/** Queues the lost job of a source that is being re-indexed. Returns false if the source is no longer being re-indexed. */
export function rebuildSource({ database, jobs }: DoctorTools, { organizationId, subject }: Finding): Promise<boolean> {
  return database.transaction(organizationId, async (trx) => {
    const row = await trx
      .selectFrom('reindex_source')
      .innerJoin('source', 'source.id', 'reindex_source.source_id')
      .select(['reindex_id', 'source_id', 'reindex_source.base_id', 'reindex_source.generation', 'source.chunks_count'])
      .where('source_id', '=', subject)
      .where('reindex_source.status', '=', 'building')
      .executeTakeFirst()
    if (row === undefined || row.generation === null) return false
    const data = { organizationId, reindexId: row.reindex_id, sourceId: row.source_id, generation: row.generation }
    await enqueueBuild(jobs, trx, data, { baseId: row.base_id, chunks: row.chunks_count })
    return true
  })
}
