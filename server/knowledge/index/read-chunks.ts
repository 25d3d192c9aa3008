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
}

/** Returns the chunks of a generation in document order, starting at the ordinal `from`. */
export async function readChunks(
  trx: Transaction,
  generation: number,
  { from, limit }: { from: number; limit: number },
): Promise<StoredChunk[]> {
  const { rows } = await sql<StoredChunk>`
    select id, ordinal, text, heading_path as "headingPath", page, page_end as "pageEnd", start_second as "startSecond", tokens,
      start_offset as "start", end_offset as "end"
    from chunk
    where organization_id = (select app_organization()) and generation = ${generation}::bigint and ordinal >= ${from}::integer
    order by ordinal limit ${limit}::integer`.execute(trx)
  return rows
}
