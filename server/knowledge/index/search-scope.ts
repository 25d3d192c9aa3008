import type { SearchFilter } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { selectSql, type Context } from '../../context.ts'
import { matches } from './filter.ts'

/** Restricts a search to some sources. It changes no score: term statistics cover the whole knowledge bases. */
export interface SourceSelection {
  readonly sourceIds?: readonly string[] | undefined
  /** Condition on the metadata of the sources. */
  readonly filter?: SearchFilter | undefined
  /** Searches the index that this re-index has built so far; sources it has not built yet are searched as they are. */
  readonly reindexId?: string | undefined
}

/** A knowledge base and its live generations at the time of a search. */
export interface BaseScope {
  readonly id: string
  readonly ragSettings: unknown
  /** Identifies the set of live generations. */
  readonly fingerprint: string
  /** Number of sources without a selection. */
  readonly sources: number
  /** The live generations to search; null for all. */
  readonly selected: readonly number[] | null
  /** The re-index that is searched. */
  readonly reindexId?: string | undefined
  /** Its status; null if the knowledge base has no re-index with this id. */
  readonly reindexStatus?: string | null
}

/** Returns the SQL for the searchable sources `s` of knowledge base `b`, with their generation and embedding model. */
function searchedSources(reindexId: string | undefined) {
  const inBase = sql`s.organization_id = (select app_organization()) and s.base_id = b.id and s.enabled and s.live_generation is not null`
  if (reindexId === undefined) return searched(sql`s.live_generation`, sql`s.embedding_model`, sql`source s where ${inBase}`)
  return searched(
    sql`coalesce(r.generation, s.live_generation)`,
    sql`case when r.generation is null then s.embedding_model else r.embedding_model end`,
    sql`source s left join reindex_source r on r.organization_id = s.organization_id and r.reindex_id = ${reindexId}::uuid
        and r.source_id = s.id and r.status = 'done' and r.of_generation = s.live_generation
      where ${inBase}`,
  )
}

function searched(generation: RawBuilder<unknown>, model: RawBuilder<unknown>, sources: RawBuilder<unknown>) {
  const fingerprint = sql<string>`count(*) || ' ' || coalesce(sum(hashtextextended(${model}, ${generation})), 0)`
  return { generation, model, sources, fingerprint }
}

/** Returns the SQL condition that chunk `c` of source `s` is searchable. */
export function isSearched(reindexId: string | undefined): RawBuilder<boolean> {
  if (reindexId === undefined) return sql`s.live_generation = c.generation and s.enabled`
  return sql`s.enabled and (s.live_generation = c.generation or exists (
      select from reindex_source r where r.organization_id = s.organization_id and r.reindex_id = ${reindexId}::uuid and r.source_id = s.id
        and r.status = 'done' and r.generation = c.generation))`
}

/** Returns the knowledge bases that exist, with the generations to search. */
export async function readSearchScope(
  ctx: Context,
  baseIds: readonly string[],
  { sourceIds, filter, reindexId }: SourceSelection,
): Promise<BaseScope[]> {
  const { generation, sources, fingerprint } = searchedSources(reindexId)
  const isRestricted = sourceIds !== undefined || filter !== undefined
  const isSelected: RawBuilder<unknown> = sql`true${sourceIds === undefined ? sql`` : sql` and s.id = any(${sourceIds}::uuid[])`}${filter === undefined ? sql`` : sql` and ${matches(filter)}`}`
  const rows = await selectSql(
    ctx,
    sql<Omit<BaseScope, 'selected'> & { selected: string | null }>`
    select b.id, b.rag_settings as "ragSettings", live.*${
      reindexId === undefined
        ? sql``
        : sql`, (select status from reindex r where r.organization_id = b.organization_id and r.base_id = b.id and r.id = ${reindexId}::uuid) as "reindexStatus"`
    }
    from base b
    cross join lateral (
      select ${fingerprint} as fingerprint, count(*)::integer as sources,
        ${isRestricted ? sql`string_agg((${generation})::text, ' ') filter (where ${isSelected})` : sql`null`} as selected
      from ${sources}
    ) as live
    where b.organization_id = (select app_organization()) and b.id = any(${baseIds}::uuid[])
    order by b.id`,
    { plannedOnce: true },
  )
  return rows.map(({ selected, ...row }) => ({
    ...row,
    selected: isRestricted ? (selected ?? '').split(' ').filter(Boolean).map(Number) : null,
    reindexId,
  }))
}

export interface LiveGenerations {
  readonly fingerprint: string
  readonly generations: readonly { readonly generation: number; readonly hasVectors: boolean }[]
}

/** Returns the live generations of a knowledge base, and whether their vectors come from `embeddingModel`. */
export async function readLiveGenerations(
  ctx: Context,
  { id, reindexId }: Pick<BaseScope, 'id' | 'reindexId'>,
  embeddingModel: string,
): Promise<LiveGenerations> {
  const { generation, model, sources, fingerprint } = searchedSources(reindexId)
  const [row] = await selectSql(
    ctx,
    sql<{ fingerprint: string; generations: { generation: number; hasVectors: boolean }[] }>`
    select ${fingerprint} as fingerprint,
      coalesce(json_agg(json_build_object('generation', ${generation}, 'hasVectors', ${model} = ${embeddingModel})), '[]') as generations
    from (select ${id}::uuid as id) as b, ${sources}`,
  )
  return row ?? { fingerprint: '', generations: [] }
}
