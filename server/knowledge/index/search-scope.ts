import type { SearchFilter } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { selectSql, type Context, type ReadContext } from '../../context.ts'
import { coalescedByKey } from '../../lib/coalesced.ts'
import type { KnowledgeContext } from '../context.ts'
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
  /** The embedding models of the live generations: the only one, or the first and the last by name. */
  readonly models: readonly string[]
  /** Number of searched generations without a selection. */
  readonly sources: number
  /** Number of their chunks. */
  readonly chunks: number
  /** The live generations to search; null for all. */
  readonly selected: readonly number[] | null
  /** How many of its generations a search engine has yet to follow; `most` for a tenth or more. */
  readonly lag: 'none' | 'some' | 'most'
  /** The re-index that is searched. */
  readonly reindexId?: string | undefined
  /** Its status; null if the knowledge base has no re-index with this id. */
  readonly reindexStatus?: string | null
}

/** The scope of a search while it is resolved. */
export interface ScopeResolution {
  /** The scope of the last search with this selection; undefined if it is not cached. */
  readonly cached: readonly BaseScope[] | undefined
  /** The read of the current scope that goes on beside the search, if it has begun. */
  reading: Promise<readonly BaseScope[]> | undefined
  /** Reads the current scope. */
  readonly read: () => Promise<readonly BaseScope[]>
  /** Caches the scope for the next search with this selection. */
  readonly keep: (scope: readonly BaseScope[]) => void
}

/** Resolves a search scope: from the cache, or from the database if it is not cached or takes long to read. */
export function resolveScope(ctx: KnowledgeContext, baseIds: readonly string[], selection: SourceSelection): ScopeResolution {
  const { scopes } = ctx.indexes
  const cached = scopes.find(ctx, baseIds, selection)
  const readOwn = (): Promise<readonly BaseScope[]> => readSearchScope(ctx, baseIds, selection, ctx.searchEngine !== null)
  const read = (): Promise<readonly BaseScope[]> => {
    const isShared = cached !== undefined && isLarge(cached)
    const reading = isShared ? scopes.readShared(ctx, baseIds, selection, readOwn) : readOwn()
    // The search awaits it later, unless something else fails first.
    reading.catch(() => undefined)
    return reading
  }
  return {
    cached,
    reading: cached === undefined || isLarge(cached) ? read() : undefined,
    read,
    keep: (scope) => scopes.set(ctx, baseIds, selection, scope),
  }
}

/** With this many sources, reading the scope takes as long as a search. It is read beside everything else. */
const isLarge = (bases: readonly BaseScope[]): boolean => bases.some(({ sources }) => sources > 1_000)

/** Returns the SQL for the searchable indexes of the sources `s` of knowledge base `b`, with their generation and embedding model. */
function searchedSources(reindexId: string | undefined) {
  const inBase = sql`s.organization_id = (select app_organization()) and s.base_id = b.id and s.enabled`
  const live =
    reindexId === undefined
      ? sql`select s.id, s.metadata, s.live_generation, s.embedding_model, s.chunks_count from source s where ${inBase} and s.live_generation is not null`
      : sql`select s.id, s.metadata, coalesce(r.generation, s.live_generation),
          case when r.generation is null then s.embedding_model else r.embedding_model end, s.chunks_count
        from source s left join reindex_source r on r.organization_id = s.organization_id and r.reindex_id = ${reindexId}::uuid
          and r.source_id = s.id and r.status = 'done' and r.of_generation = s.live_generation
        where ${inBase} and s.live_generation is not null`
  const parts = sql`select s.id, s.metadata, x.generation, x.embedding_model, x.chunks
    from source_part x join source s on s.organization_id = x.organization_id and s.id = x.source_id
    where x.organization_id = (select app_organization()) and x.base_id = b.id and x.searched and ${inBase}`
  return {
    sources: sql`(${live} union all ${parts}) as s (id, metadata, generation, model, chunks)`,
    fingerprint: sql<string>`count(*) || ' ' || coalesce(sum(hashtextextended(s.model, s.generation)), 0)`,
  }
}

/** Returns the SQL condition that chunk `c` of source `s` is searchable. */
export function isSearched(reindexId: string | undefined): RawBuilder<boolean> {
  const isPart = sql`exists (
      select from source_part x where x.organization_id = s.organization_id and x.generation = c.generation and x.searched)`
  if (reindexId === undefined) return sql`s.enabled and (s.live_generation = c.generation or ${isPart})`
  return sql`s.enabled and (s.live_generation = c.generation or ${isPart} or exists (
      select from reindex_source r where r.organization_id = s.organization_id and r.reindex_id = ${reindexId}::uuid and r.source_id = s.id
        and r.status = 'done' and r.generation = c.generation))`
}

/**
 * Returns the knowledge bases that exist, with the generations to search.
 * @param hasEngine whether a search engine follows their changes
 */
export async function readSearchScope(
  ctx: Context,
  baseIds: readonly string[],
  { sourceIds, filter, reindexId }: SourceSelection,
  hasEngine = false,
): Promise<BaseScope[]> {
  const { sources, fingerprint } = searchedSources(reindexId)
  const isRestricted = sourceIds !== undefined || filter !== undefined
  const isSelected: RawBuilder<unknown> = sql`true${sourceIds === undefined ? sql`` : sql` and s.id = any(${sourceIds}::uuid[])`}${filter === undefined ? sql`` : sql` and ${matches(filter)}`}`
  const rows = await selectSql(
    ctx,
    sql<Omit<BaseScope, 'selected' | 'models'> & { selected: string | null; models: (string | null)[] }>`
    select b.id, b.rag_settings as "ragSettings", live.*,
      ${hasEngine ? lag : sql`'none'`} as lag${
        reindexId === undefined
          ? sql``
          : sql`, (select status from reindex r where r.organization_id = b.organization_id and r.base_id = b.id and r.id = ${reindexId}::uuid) as "reindexStatus"`
      }
    from base b
    cross join lateral (
      select ${fingerprint} as fingerprint, ${outermostModels} as models, count(*)::integer as sources,
        coalesce(sum(s.chunks), 0)::integer as chunks,
        ${isRestricted ? sql`string_agg(s.generation::text, ' ') filter (where ${isSelected})` : sql`null`} as selected
      from ${sources}
    ) as live
    where b.organization_id = (select app_organization()) and b.id = any(${baseIds}::uuid[])
    order by b.id`,
    { plannedOnce: true },
  )
  return rows.map(({ selected, models, ...row }) => ({
    ...row,
    models: distinctModels(models),
    selected: isRestricted ? (selected ?? '').split(' ').filter(Boolean).map(Number) : null,
    reindexId,
  }))
}

/** How many generations of `live` a search engine has yet to follow. */
const lag = sql`(select case when count(*) = 0 then 'none' when 10 * count(*) < live.sources then 'some' else 'most' end
  from search_outbox o where o.organization_id = b.organization_id and o.base_id = b.id)`

/** Two aggregates take less time than a list of all distinct models. */
const outermostModels = sql<(string | null)[]>`array[min(s.model collate "C"), max(s.model collate "C")]`

const distinctModels = (models: readonly (string | null)[]): string[] => [...new Set(models.filter((model) => model !== null))]

export interface LiveGenerations {
  readonly fingerprint: string
  readonly models: readonly string[]
  readonly generations: readonly { readonly generation: number; readonly hasVectors: boolean }[]
}

/**
 * Returns the live generations of a knowledge base, and whether their vectors come from `model`.
 * @param otherParts models whose generations are left out
 */
export async function readLiveGenerations(
  ctx: ReadContext,
  { id, reindexId }: Pick<BaseScope, 'id' | 'reindexId'>,
  { model, isFirst, otherParts }: { model: string; isFirst: boolean; otherParts: readonly string[] },
): Promise<LiveGenerations> {
  const { sources, fingerprint } = searchedSources(reindexId)
  const [row] = await selectSql(
    ctx,
    sql<{ fingerprint: string; models: (string | null)[]; generations: { generation: number; hasVectors: boolean }[] }>`
    select ${fingerprint} as fingerprint, ${outermostModels} as models,
      coalesce(json_agg(json_build_object('generation', s.generation, 'hasVectors', s.model = ${model}))
        filter (where s.model = ${model} or ${isFirst} and not coalesce(s.model = any(${otherParts}::text[]), false)), '[]') as generations
    from (select ${id}::uuid as id) as b cross join lateral ${sources}`,
  )
  return row === undefined ? { fingerprint: '', models: [], generations: [] } : { ...row, models: distinctModels(row.models) }
}

/** Counts over the searched chunks of a part of a knowledge base, from its rows. */
export interface StoredCollection extends Pick<LiveGenerations, 'fingerprint' | 'models'> {
  /** The results of `analysisLanguage` for its chunks. */
  readonly languages: readonly string[]
  readonly chunks: number
  readonly terms: number
}

/** Returns the counts of the chunks that `readLiveGenerations` lists. */
export async function readCollection(
  ctx: Context,
  { id }: Pick<BaseScope, 'id'>,
  { model, isFirst, otherParts }: { model: string; isFirst: boolean; otherParts: readonly string[] },
): Promise<StoredCollection> {
  const { sources, fingerprint } = searchedSources(undefined)
  const [row] = await selectSql(
    ctx,
    sql<{ fingerprint: string; models: (string | null)[]; counts: { language: string; chunks: number; terms: number }[] }>`
    with s as materialized (select s.* from (select ${id}::uuid as id) as b cross join lateral ${sources})
    select (select ${fingerprint} from s) as fingerprint, (select ${outermostModels} from s) as models,
      coalesce((select json_agg(counted) from (
        select g.language, sum(g.chunks)::integer as chunks, sum(g.terms)::bigint as terms
        from s join index_generation g on g.organization_id = (select app_organization()) and g.generation = s.generation
        where s.model = ${model} or ${isFirst} and not coalesce(s.model = any(${otherParts}::text[]), false)
        group by g.language order by g.language) as counted), '[]') as counts`,
  )
  const counts = row?.counts ?? []
  return {
    fingerprint: row?.fingerprint ?? '',
    models: distinctModels(row?.models ?? []),
    languages: counts.map(({ language }) => language),
    chunks: counts.reduce((sum, { chunks }) => sum + chunks, 0),
    terms: counts.reduce((sum, { terms }) => sum + terms, 0),
  }
}

/** Caches search scopes. A cached scope is a guess: the search that uses it reads the current scope as well and compares. */
export interface ScopeCache {
  /** Returns the scope of the last search with this selection; undefined if it is not cached. */
  find(ctx: Context, baseIds: readonly string[], selection: SourceSelection): readonly BaseScope[] | undefined
  set(ctx: Context, baseIds: readonly string[], selection: SourceSelection, bases: readonly BaseScope[]): void
  /**
   * Reads the current scope once for all searches with this selection that wait for it: `read` is called after the call, so it returns
   * every change that was committed before. A read for one search each would keep the embedded engine busy for milliseconds each.
   */
  readShared(
    ctx: Pick<Context, 'organizationId' | 'actor'>,
    baseIds: readonly string[],
    selection: SourceSelection,
    read: () => Promise<readonly BaseScope[]>,
  ): Promise<readonly BaseScope[]>
  deleteOrganization(organizationId: string): void
}

/** Cached scopes. */
const maxScopes = 1_000
/** Selected generations in all cached scopes. */
const maxSelected = 1_000_000

export function createScopeCache(): ScopeCache {
  const scopes = new Map<string, readonly BaseScope[]>()
  const shareRead = coalescedByKey<readonly BaseScope[]>()
  let selected = 0

  function remove(key: string): void {
    selected -= countSelected(scopes.get(key) ?? [])
    scopes.delete(key)
  }

  return {
    find(ctx, baseIds, selection) {
      const key = keyOf(ctx, baseIds, selection)
      const bases = scopes.get(key)
      if (bases === undefined) return undefined
      // A map keeps insertion order: the last entry is the most recently used.
      scopes.delete(key)
      scopes.set(key, bases)
      return bases
    },
    set(ctx, baseIds, selection, bases) {
      // A re-index may end: its status is checked before each search.
      if (selection.reindexId !== undefined) return
      const key = keyOf(ctx, baseIds, selection)
      remove(key)
      scopes.set(key, bases)
      selected += countSelected(bases)
      for (const oldest of scopes.keys()) {
        if (scopes.size <= maxScopes && selected <= maxSelected) return
        remove(oldest)
      }
    },
    readShared(ctx, baseIds, selection, read) {
      // The database hides other knowledge bases from an actor that is limited to some.
      const accessible = ctx.actor?.baseIds ?? null
      return shareRead(`${keyOf(ctx, baseIds, selection)} ${accessible === null ? '' : JSON.stringify(accessible)}`, read)
    },
    deleteOrganization(organizationId) {
      for (const key of scopes.keys()) if (key.startsWith(`["${organizationId}"`)) remove(key)
    },
  }
}

const countSelected = (bases: readonly BaseScope[]): number => bases.reduce((sum, base) => sum + (base.selected?.length ?? 0), 0)

const keyOf = (
  { organizationId }: Pick<Context, 'organizationId'>,
  baseIds: readonly string[],
  { sourceIds, filter, reindexId }: SourceSelection,
): string => JSON.stringify([organizationId, baseIds, sourceIds, filter, reindexId])

/** Returns whether two scopes of the same knowledge bases are equal. */
export const isSameScope = (some: readonly BaseScope[], others: readonly BaseScope[]): boolean => isDeepStrictEqual(some, others)
