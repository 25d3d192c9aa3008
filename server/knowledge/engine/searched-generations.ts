import { sql } from 'kysely'
import { selectSql, type Context } from '../../context.ts'

export interface NotedGeneration {
  readonly generation: number
  readonly baseId: string
}

export interface SearchedGeneration extends NotedGeneration {
  /** The embedding model of its vectors. */
  readonly model: string
}

/** The SQL of the searched generations of all organizations: those of `searchedSources` without a re-index. */
export const searchedGenerations = `
  select s.organization_id, s.live_generation as generation, s.base_id, s.embedding_model as model
  from source s where s.enabled and s.live_generation is not null
  union all
  select x.organization_id, x.generation, x.base_id, x.embedding_model
  from source_part x join source s on s.organization_id = x.organization_id and s.id = x.source_id
  where x.searched and s.enabled`

/** Returns those of the generations that are searched now. */
export async function readSearched(ctx: Context, noted: readonly NotedGeneration[]): Promise<SearchedGeneration[]> {
  const bases = [...new Set(noted.map(({ baseId }) => baseId))]
  return selectSql(
    ctx,
    sql<SearchedGeneration>`
    select generation, base_id as "baseId", coalesce(model, '') as model from (${sql.raw(searchedGenerations)}) as g
    where g.organization_id = (select app_organization()) and g.base_id = any(${bases}::uuid[])
      and g.generation = any(${noted.map(({ generation }) => generation)}::bigint[])`,
  )
}
