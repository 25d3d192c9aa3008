import type { SearchFilter } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { selectSql, type Context } from '../../context.ts'
import { matches } from './filter.ts'

/** Narrows a search to some sources of its bases. It changes no score: term statistics stay those of the whole bases. */
export interface Narrowing {
  readonly sourceIds?: readonly string[] | undefined
  /** What their metadata must be like. */
  readonly filter?: SearchFilter | undefined
  /** The sources as this re-index of the base has built them, where it has; the others as they are. */
  readonly reindexId?: string | undefined
}

/** A base as a search finds it. */
export interface LiveBase {
  readonly id: string
  readonly ragSettings: unknown
  /** Tells one set of live generations from another. */
  readonly fingerprint: string
  /** How many are searched where nothing narrows it. */
  readonly sources: number
  /** The live generations that are searched; null for all. */
  readonly wanted: readonly number[] | null
  /** Where a re-index was asked for. */
  readonly reindexId?: string | undefined
  /** Its status; null where the base has none of this id. */
  readonly reindexStatus?: string | null
}

/** The sources `s` of base `b` that are searched, by which generation, and by which model that was embedded. */
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

/** Whether chunk `c` of source `s` is searched. */
export function isSearched(reindexId: string | undefined): RawBuilder<boolean> {
  if (reindexId === undefined) return sql`s.live_generation = c.generation and s.enabled`
  return sql`s.enabled and (s.live_generation = c.generation or exists (
      select from reindex_source r where r.organization_id = s.organization_id and r.reindex_id = ${reindexId}::uuid and r.source_id = s.id
        and r.status = 'done' and r.generation = c.generation))`
}

/** Those of the bases that are there, with what of them is searched. */
export async function readBases(
  ctx: Context,
  baseIds: readonly string[],
  { sourceIds, filter, reindexId }: Narrowing,
): Promise<LiveBase[]> {
  const { generation, sources, fingerprint } = searchedSources(reindexId)
  const narrowed = sourceIds !== undefined || filter !== undefined
  const asked: RawBuilder<unknown> = sql`true${sourceIds === undefined ? sql`` : sql` and s.id = any(${sourceIds}::uuid[])`}${filter === undefined ? sql`` : sql` and ${matches(filter)}`}`
  const rows = await selectSql(
    ctx,
    sql<Omit<LiveBase, 'wanted'> & { wanted: string | null }>`
    select b.id, b.rag_settings as "ragSettings", live.*${
      reindexId === undefined
        ? sql``
        : sql`, (select status from reindex r where r.organization_id = b.organization_id and r.base_id = b.id and r.id = ${reindexId}::uuid) as "reindexStatus"`
    }
    from base b
    cross join lateral (
      select ${fingerprint} as fingerprint, count(*)::integer as sources,
        ${narrowed ? sql`string_agg((${generation})::text, ' ') filter (where ${asked})` : sql`null`} as wanted
      from ${sources}
    ) as live
    where b.organization_id = (select app_organization()) and b.id = any(${baseIds}::uuid[])
    order by b.id`,
    { plannedOnce: true },
  )
  return rows.map(({ wanted, ...row }) => ({
    ...row,
    wanted: narrowed ? (wanted ?? '').split(' ').filter(Boolean).map(Number) : null,
    reindexId,
  }))
}

export interface LiveGenerations {
  readonly fingerprint: string
  readonly generations: readonly { readonly generation: number; readonly compared: boolean }[]
}

/** The generations of a base that are searched; those are compared whose vectors are of the model. */
export async function readGenerations(
  ctx: Context,
  { id, reindexId }: Pick<LiveBase, 'id' | 'reindexId'>,
  embeddingModel: string,
): Promise<LiveGenerations> {
  const { generation, model, sources, fingerprint } = searchedSources(reindexId)
  const [row] = await selectSql(
    ctx,
    sql<{ fingerprint: string; generations: { generation: number; compared: boolean }[] }>`
    select ${fingerprint} as fingerprint,
      coalesce(json_agg(json_build_object('generation', ${generation}, 'compared', ${model} = ${embeddingModel})), '[]') as generations
    from (select ${id}::uuid as id) as b, ${sources}`,
  )
  return row ?? { fingerprint: '', generations: [] }
}
