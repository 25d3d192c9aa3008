import { sql } from 'kysely'
import { selectSql, type Context } from '../../context.ts'
import { vectorIn } from '../index/binary-format.ts'
import { isSearched } from '../index/search-scope.ts'

export interface Place {
  readonly generation: number
  readonly ordinal: number
}

/**
 * Returns the vectors of those of the chunks that the knowledge base has and searches now, by generation and ordinal. So deleted
 * chunks, and those of other knowledge bases, are no candidates, whatever the search engine returns.
 */
export async function readVectorsOfSearched(ctx: Context, baseId: string, places: readonly Place[]): Promise<Map<string, Float32Array>> {
  if (places.length === 0) return new Map()
  const rows = await selectSql(
    ctx,
    sql<Place & { vector: Buffer }>`
    select c.generation, c.ordinal, vector_send(e.embedding) as vector
    from unnest(${places.map(({ generation }) => generation)}::bigint[], ${places.map(({ ordinal }) => ordinal)}::integer[]) as t (generation, ordinal)
    join chunk c on c.organization_id = (select app_organization()) and c.generation = t.generation and c.ordinal = t.ordinal
      and c.base_id = ${baseId}::uuid
    join source s on s.organization_id = c.organization_id and s.id = c.source_id and ${isSearched(undefined)}
    join chunk_embedding e on e.organization_id = c.organization_id and e.base_id = ${baseId}::uuid and e.generation = c.generation
      and e.ordinal = c.ordinal`,
    { plannedOnce: true },
  )
  return new Map(rows.map(({ generation, ordinal, vector }) => [placeKey({ generation, ordinal }), vectorIn(vector)]))
}

export const placeKey = ({ generation, ordinal }: Place): string => `${generation}:${ordinal}`
