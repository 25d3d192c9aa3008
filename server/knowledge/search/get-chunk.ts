import { wireId, type SearchHit } from '@groundwork/api'
import { sql } from 'kysely'
import { atomically, type Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { watchUrlAt } from '../video/address.ts'

type Passage = Pick<SearchHit, 'chunkId' | 'sourceId' | 'baseId' | 'sourceName' | 'url' | 'text' | 'citation'>

export interface FoundChunk extends Passage {
  /** Texts of the chunks before it in the same document, in their order. */
  before: string[]
  after: string[]
}

/**
 * One of the chunks that a search can find, with up to `neighbours` chunks on each side. Neighbours in place overlap in text
 * as the base has it.
 * @throws AppError `not_found`, also for a chunk of content that was replaced or of a source that is not enabled
 */
export function getChunk(ctx: Context, chunkId: string, { neighbours }: { neighbours: number }): Promise<FoundChunk> {
  return atomically(ctx, async (trx) => {
    const row = await readChunk(trx, chunkId)
    if (row === undefined) throw new AppError('not_found', 'there is no such chunk: it may have been replaced since', { field: 'chunkId' })
    const { chunkId: id, sourceId, baseId, sourceName, url, type, text, generation, ordinal, pageId, ...citation } = row
    const { rows } = await sql<{ ordinal: number; text: string }>`
      select ordinal, text from chunk
      where organization_id = (select app_organization()) and generation = ${generation}::bigint
        and ordinal between ${ordinal - neighbours}::integer and ${ordinal + neighbours}::integer
        and page_id is not distinct from ${pageId}::uuid
      order by ordinal`.execute(trx)
    return {
      chunkId: wireId('chk', id),
      sourceId: wireId('src', sourceId),
      baseId: wireId('kb', baseId),
      sourceName,
      url: url !== null && type === 'youtube' ? watchUrlAt(url, citation.startSecond) : url,
      text,
      citation,
      before: rows.filter((each) => each.ordinal < ordinal).map((each) => each.text),
      after: rows.filter((each) => each.ordinal > ordinal).map((each) => each.text),
    }
  })
}

type ChunkRow = Omit<Passage, 'citation'> &
  SearchHit['citation'] & { type: string; generation: number; ordinal: number; pageId: string | null }

async function readChunk(trx: Transaction, chunkId: string): Promise<ChunkRow | undefined> {
  const { rows } = await sql<ChunkRow>`
    select c.id as "chunkId", s.id as "sourceId", s.base_id as "baseId", s.name as "sourceName", s.type,
      coalesce(p.url, s.canonical_url, s.url) as url, coalesce(p.title, s.title) as title, c.text, c.page, c.page_end as "pageEnd",
      c.start_second as "startSecond", c.heading_path as "headingPath", c.start_offset as "start", c.end_offset as "end",
      c.generation, c.ordinal, c.page_id as "pageId"
    from chunk c
    join source s on s.organization_id = c.organization_id and s.id = c.source_id and s.live_generation = c.generation and s.enabled
    left join source_page p on p.organization_id = c.organization_id and p.id = c.page_id
    where c.organization_id = (select app_organization()) and c.id = ${chunkId}::uuid`.execute(trx)
  return rows[0]
}
