import { hasPages, sourceTypes } from '@groundwork/api'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'

/**
 * Swaps the live index and the shadow index of sources, to switch or to roll back. Sources whose content was replaced since
 * keep theirs. The caller has locked them and the re-index.
 * @param sourceId limits the swap to one source
 */
export async function swapIndexes(
  ctx: Context,
  trx: Transaction,
  reindexId: string,
  { from, to, sourceId = null }: { from: 'done' | 'switched'; to: 'done' | 'switched'; sourceId?: string | null },
): Promise<void> {
  const swapped = sql`
    r.organization_id = (select app_organization()) and r.reindex_id = ${reindexId}::uuid and r.status = ${from}
      and r.generation is not null and (${sourceId}::uuid is null or r.source_id = ${sourceId}::uuid)`
  // Each generation has documents of its own; they share their files.
  await sql`
    insert into document (organization_id, generation, ordinal, base_id, source_id, url, video, upload_id, file_name, content_type,
      original_key, content_key, content_hash, bytes, media_type, pages, language, warnings, etag, last_modified, title, canonical_url)
    select d.organization_id, r.generation, d.ordinal, d.base_id, d.source_id, d.url, d.video, d.upload_id, d.file_name, d.content_type,
      d.original_key, d.content_key, d.content_hash, d.bytes, d.media_type, d.pages, d.language, d.warnings, d.etag, d.last_modified,
      d.title, d.canonical_url
    from reindex_source r
    join source s on s.organization_id = r.organization_id and s.id = r.source_id and s.live_generation = r.of_generation
    join document d on d.organization_id = r.organization_id and d.generation = r.of_generation
    where ${swapped}
    on conflict do nothing`.execute(trx)
  await sql`
    with changed as (
      update source s
      set live_generation = r.generation, index_config = r.index_config, embedding_model = r.embedding_model,
        embedding_dimensions = r.embedding_dimensions, chunks_count = r.chunks_count, updated_at = ${ctx.now()},
        generation = case when s.status = 'processing' or s.error_code is not null then s.generation else r.generation end,
        progress_done = case when s.status = 'processing' then s.progress_done else r.chunks_count end,
        progress_total = case when s.status = 'processing' then s.progress_total else r.chunks_count end
      from reindex_source r, source before
      where ${swapped} and s.organization_id = r.organization_id and s.id = r.source_id and s.live_generation = r.of_generation
        and before.organization_id = s.organization_id and before.id = s.id
      returning s.id, before.live_generation, before.index_config, before.embedding_model, before.embedding_dimensions, before.chunks_count
    )
    update reindex_source r
    set status = ${to}, of_generation = r.generation, generation = c.live_generation, index_config = c.index_config,
      embedding_model = c.embedding_model, embedding_dimensions = c.embedding_dimensions, chunks_count = c.chunks_count
    from changed c
    where ${swapped} and r.source_id = c.id`.execute(trx)
  await sql`
    with site as (
      select s.id, s.live_generation from reindex_source r
      join source s on s.organization_id = r.organization_id and s.id = r.source_id and s.type = any(${sourceTypes.filter(hasPages)}) and s.status <> 'processing'
      where r.organization_id = (select app_organization()) and r.reindex_id = ${reindexId}::uuid and r.status = ${to}
        and (${sourceId}::uuid is null or r.source_id = ${sourceId}::uuid)
    ), counted as (
      select page_id, count(*)::integer as chunks from chunk
      where organization_id = (select app_organization()) and generation in (select live_generation from site) and page_id is not null
      group by page_id
    )
    update source_page p set chunks = c.chunks from counted c
    where p.organization_id = (select app_organization()) and p.id = c.page_id`.execute(trx)
}
