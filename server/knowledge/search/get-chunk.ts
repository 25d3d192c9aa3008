import { wireId, type SearchHit } from '@groundwork/api'
import { sql } from 'kysely'
import { selectSql, type Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { isSearched } from '../index/search-scope.ts'
import { neighboursOf, passageColumns, toNeighbours, toPassage, type NeighbourRow, type PassageRow } from './passage.ts'

export interface FoundChunk extends Pick<SearchHit, 'chunkId' | 'sourceId' | 'baseId' | 'sourceName' | 'url' | 'text' | 'citation'> {
  /** Texts of the preceding chunks of the document, in document order. */
  before: string[]
  after: string[]
}

/**
 * Returns a searchable chunk with up to `neighbours` chunks on each side. Adjacent chunks overlap by the knowledge base's
 * chunk overlap.
 * @throws AppError `not_found`, also for a chunk of replaced content or of a disabled source
 */
export async function getChunk(ctx: Context, chunkId: string, { neighbours }: { neighbours: number }): Promise<FoundChunk> {
  const rows = await selectSql(
    ctx,
    sql<PassageRow & { neighbours: NeighbourRow[] }>`
      select ${passageColumns}, ${neighboursOf(neighbours)} as neighbours
      from chunk c
      join source s on s.organization_id = c.organization_id and s.id = c.source_id and ${isSearched(undefined)}
      left join source_page p on p.organization_id = c.organization_id and p.id = c.page_id
      where c.organization_id = (select app_organization()) and c.id = ${chunkId}::uuid`,
  )
  const [row] = rows
  if (row === undefined)
    throw new AppError('not_found', 'There is no such chunk. Its source may have been replaced or deleted.', { field: 'chunkId' })
  const { neighbours: adjacent, ...found } = row
  const passage = toPassage(found)
  const { before, after } = toNeighbours(adjacent, passage.citation.title)
  return {
    ...passage,
    chunkId: wireId('chk', passage.chunkId),
    sourceId: wireId('src', passage.sourceId),
    baseId: wireId('kb', passage.baseId),
    before: before.map(({ text }) => text),
    after: after.map(({ text }) => text),
  }
}
