import { sql, type RawBuilder } from 'kysely'
import { selectSql, type Context } from '../../context.ts'

export interface SearchedGeneration {
  readonly generation: number
  readonly baseId: string
  /** The embedding model of its vectors. */
  readonly model: string
  readonly chunks: number
}

/** Returns the SQL of the searched generations of all organizations: those of `searchedSources` without a re-index. */
export const searchedGenerations = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select g.organization_id, g.generation, g.base_id, g.model,
    coalesce((select sum(chunks) from index_generation i where i.organization_id = g.organization_id and i.generation = g.generation), 0)::integer as chunks
  from (
    select s.organization_id, s.live_generation as generation, s.base_id, s.embedding_model as model
    from source s where s.enabled and s.live_generation is not null
    union all
    select x.organization_id, x.generation, x.base_id, x.embedding_model
    from source_part x join source s on s.organization_id = x.organization_id and s.id = x.source_id
    where x.searched and s.enabled
  ) as g where ${condition}`

/** Returns those of the generations that are searched now. */
export async function readSearched(ctx: Context, noted: readonly NotedGeneration[]): Promise<SearchedGeneration[]> {
  const bases = [...new Set(noted.map(({ baseId }) => baseId))]
  const of = sql`g.organization_id = (select app_organization()) and g.base_id = any(${bases}::uuid[])
    and g.generation = any(${noted.map(({ generation }) => generation)}::bigint[])`
  return selectSql(
    ctx,
    sql<SearchedGeneration>`select generation, base_id as "baseId", coalesce(model, '') as model, chunks from (${searchedGenerations(of)}) as searched`,
  )
}

export interface NotedGeneration {
  readonly generation: number
  readonly baseId: string
}
