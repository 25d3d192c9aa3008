import { wireId, type SearchHit } from '@groundwork/api'
import { sql } from 'kysely'
import { atomically, type Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { neighboursOf, toNeighbours, type NeighbourRow } from './neighbours.ts'
import { passageColumns, toPassage, type PassageRow } from './passage.ts'

export interface FoundChunk extends Pick<SearchHit, 'chunkId' | 'sourceId' | 'baseId' | 'sourceName' | 'url' | 'text' | 'citation'> {
  /** Texts of the chunks before it in the same document, in their order. */
  before: string[]
  after: string[]
}

/**
 * One of the chunks that a search can find, with up to `neighbours` chunks on each side. Neighbours in place overlap in text
 * as the base has it.
 * @throws AppError `not_found`, also for a chunk of content that was replaced or of a source that is not enabled
 */
export async function getChunk(ctx: Context, chunkId: string, { neighbours }: { neighbours: number }): Promise<FoundChunk> {
  const { rows } = await atomically(ctx, (trx) =>
    sql<PassageRow & { neighbours: NeighbourRow[] }>`
      select ${passageColumns}, ${neighboursOf(neighbours)} as neighbours
      from chunk c
      join source s on s.organization_id = c.organization_id and s.id = c.source_id and s.live_generation = c.generation and s.enabled
      left join source_page p on p.organization_id = c.organization_id and p.id = c.page_id
      where c.organization_id = (select app_organization()) and c.id = ${chunkId}::uuid`.execute(trx),
  )
  const [row] = rows
  if (row === undefined) throw new AppError('not_found', 'there is no such chunk: it may have been replaced since', { field: 'chunkId' })
  const { neighbours: beside, ...found } = row
  const passage = toPassage(found)
  const { before, after } = toNeighbours(beside, passage.citation.title)
  return {
    ...passage,
    chunkId: wireId('chk', passage.chunkId),
    sourceId: wireId('src', passage.sourceId),
    baseId: wireId('kb', passage.baseId),
    before: before.map(({ text }) => text),
    after: after.map(({ text }) => text),
  }
}
