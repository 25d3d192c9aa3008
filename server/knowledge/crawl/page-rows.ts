import { wireId, type PageReason, type SourcePage } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import type { Context } from '../../context.ts'
import type { SourcePageTable, SourceTable, Transaction } from '../../db/schema.ts'
import { enqueueFileDeletion } from '../uploads/delete-files.ts'

/** Converts a row to the public record. */
export function toSourcePage(row: Selectable<SourcePageTable>): SourcePage {
  return {
    id: wireId('pag', row.id),
    url: row.url,
    status: row.status ?? 'skipped',
    reason: row.reason as PageReason | null,
    httpStatus: row.http_status,
    canonicalUrl: row.stand_in_url,
    title: row.title,
    language: row.language,
    bytes: row.bytes,
    rendered: row.rendered,
    chunks: row.chunks,
    fetchedAt: row.fetched_at?.toISOString() ?? null,
  }
}

/** Returns the total size of the pages with text; null if one of them was last read before sizes were stored. */
export async function sumOfPages(
  trx: Transaction,
  { sourceId, generation }: { sourceId: string; generation: number },
): Promise<number | null> {
  const sum = await trx
    .selectFrom('source_page')
    .select(sql<number | null>`case when count(*) = count(bytes) then sum(bytes)::bigint end`.as('bytes'))
    .where('source_id', '=', sourceId)
    .where('generation', '=', generation)
    .where('indexed', '=', true)
    .executeTakeFirst()
  return sum?.bytes ?? null
}

/** Deletes the stored content of pages. Call it before the rows are deleted with their source. */
export async function deletePageFiles(ctx: Context, trx: Transaction, of: { sourceId: string } | { baseId: string }): Promise<void> {
  const pages = trx.selectFrom('source_page').select('content_key').where('content_key', 'is not', null)
  const rows = await ('sourceId' in of ? pages.where('source_id', '=', of.sourceId) : pages.where('base_id', '=', of.baseId)).execute()
  await enqueueFileDeletion(
    ctx,
    trx,
    rows.map(({ content_key }) => content_key),
  )
}

/** Pages that a failed attempt read longer ago than this are requested again when it is retried. */
const maxResumedAgeMs = 24 * 3_600_000

/**
 * Passes the pages of a cancelled or failed attempt on to the next one, which then continues the crawl: pages that were read are
 * not requested again, unless that is a day ago; all others are.
 */
export async function resumePages(
  ctx: Context,
  trx: Transaction,
  { id, generation: from }: Pick<Selectable<SourceTable>, 'id' | 'generation'>,
  to: number,
): Promise<void> {
  const now = ctx.now()
  const isRead = sql<boolean>`coalesce(not waiting and content_key is not null and (status in ('fetched', 'unchanged') or reason = 'duplicate')
    and fetched_at > ${new Date(now.getTime() - maxResumedAgeMs)}, false)`
  const isLeftOut = sql<boolean>`coalesce(not waiting and reason in ('robots_disallowed', 'excluded') and http_status is null, false)`
  await sql`
    update source_page set
      generation = ${to}::bigint,
      waiting = not (${isRead} or ${isLeftOut}),
      indexed = ${isRead},
      status = case when reason = 'duplicate' then 'fetched' else status end,
      reason = case when reason = 'duplicate' then null else reason end,
      stand_in_url = case when reason = 'duplicate' then null else stand_in_url end,
      tries = 0, due_at = null,
      -- The time limit of a crawl begins with its first page.
      listed_at = ${now}
    where organization_id = (select app_organization()) and source_id = ${id}::uuid and generation = ${from}::bigint`.execute(trx)
}

/** Deletes pages that a completed crawl did not find, and stored content that is no longer searched. */
export async function sweepPages(ctx: Context, trx: Transaction, of: { sourceId: string; generation: number }): Promise<void> {
  const gone = await trx
    .deleteFrom('source_page')
    .where('source_id', '=', of.sourceId)
    .where('generation', '<>', of.generation)
    .returning('content_key')
    .execute()
  const { rows: emptied } = await sql<{ content_key: string }>`
    update source_page p
    set content_key = null, etag = null, last_modified = null, body_hash = null, text_hash = null, shape_hash = null, canonical_url = null,
      title = null, language = null, bytes = null, rendered = false, thin = false, chunks = 0
    from source_page before
    where p.organization_id = (select app_organization()) and p.source_id = ${of.sourceId}::uuid and p.content_key is not null
      and not p.indexed and p.reason is distinct from 'duplicate'
      and before.organization_id = p.organization_id and before.id = p.id
    returning before.content_key`.execute(trx)
  await enqueueFileDeletion(
    ctx,
    trx,
    [...gone, ...emptied].map(({ content_key }) => content_key),
  )
}
