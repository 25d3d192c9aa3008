import { hasPages } from '@groundwork/api'
import { sql } from 'kysely'
import { enqueueProcessing } from '../knowledge/ingest/begin.ts'
import type { Finding } from './checks.ts'
import type { DoctorTools } from './doctor.ts'

/**
 * Queues processing of the source of a finding. A stuck source gets its job back; any other source gets a new generation, and
 * its current index serves searches until that is ready.
 * @returns whether processing was queued; false if the source was deleted, is being processed, is a crawled site, or its upload
 * is lost
 */
export function reprocessSource({ database, jobs, storage }: DoctorTools, { check, organizationId, subject }: Finding): Promise<boolean> {
  return database.transaction(organizationId, async (trx) => {
    const row = await trx.selectFrom('source').selectAll().where('id', '=', subject).forUpdate().executeTakeFirst()
    if (row === undefined || (row.status === 'processing') !== (check === 'stuck')) return false
    if (check === 'stuck') {
      await enqueueProcessing(jobs, trx, row)
      return true
    }
    // A crawl keeps unchanged pages, so another crawl would not repair them.
    if (hasPages(row.type)) return false
    const document = await trx
      .selectFrom('document')
      .select(['url', 'video', 'upload_id', 'file_name', 'content_type', 'original_key', 'bytes'])
      .where('source_id', '=', row.id)
      .where('generation', '=', row.live_generation ?? row.generation)
      .where('ordinal', '=', 0)
      .executeTakeFirst()
    if (document === undefined) return false
    const hasOriginal = document.original_key !== null && (await storage.exists(document.original_key))
    if (!hasOriginal && document.upload_id !== null) return false
    const { generation } = await trx
      .updateTable('source')
      .set({
        status: 'processing',
        stage: 'queued',
        last_emitted_stage: 'queued',
        index_config: null,
        generation: sql<number>`nextval('source_generation')`,
      })
      .where('id', '=', row.id)
      .returning('generation')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('document')
      .values({
        ...document,
        video: document.video === null ? null : JSON.stringify(document.video),
        original_key: hasOriginal ? document.original_key : null,
        organization_id: organizationId,
        generation,
        ordinal: 0,
        base_id: row.base_id,
        source_id: row.id,
      })
      .execute()
    await enqueueProcessing(jobs, trx, { ...row, generation })
    return true
  })
}
