import { sql } from 'kysely'
import type { Transaction } from '../../db/schema.ts'

export interface StoredChunk {
  id: string
  ordinal: number
  text: string
  headingPath: string[]
  page: number | null
  pageEnd: number | null
  startSecond: number | null
  tokens: number
  start: number
  end: number
  /** The page of a crawled site; null for any other source. */
  sitePage: { id: string; url: string; title: string | null } | null
}

/** Returns the chunks of the generations of a source in document order, starting at the ordinal `from`. */
export async function readChunks(
  trx: Transaction,
  generations: readonly number[],
  { from, limit }: { from: number; limit: number },
): Promise<StoredChunk[]> {
  const { rows } = await sql<StoredChunk>`
    select c.id, c.ordinal, c.text, c.heading_path as "headingPath", c.page, c.page_end as "pageEnd", c.start_second as "startSecond",
      c.tokens, c.start_offset as "start", c.end_offset as "end",
      case when p.id is not null then json_build_object('id', p.id, 'url', p.url, 'title', p.title) end as "sitePage"
    from chunk c
    left join source_page p on p.organization_id = c.organization_id and p.id = c.page_id
    where c.organization_id = (select app_organization()) and c.generation = any(${generations}::bigint[]) and c.ordinal >= ${from}::integer
    order by c.ordinal limit ${limit}::integer`.execute(trx)
  return rows
}
