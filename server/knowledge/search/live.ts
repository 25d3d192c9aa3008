import type { SearchFilter } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { selectSql, type Context } from '../../context.ts'
import { matches } from './filter.ts'

/** Narrows a search to some sources of its bases. It changes no score: term statistics stay those of the whole bases. */
export interface Narrowing {
  readonly sourceIds?: readonly string[] | undefined
  /** What their metadata must be like. */
  readonly filter?: SearchFilter | undefined
}

/** A base as a search finds it. */
export interface LiveBase {
  readonly id: string
  readonly ragSettings: unknown
  /** Tells one set of live generations from another. */
  readonly fingerprint: string
  /** The live generations that are searched; null for all. */
  readonly wanted: readonly number[] | null
}

/** The sources `s` of base `b` that are searched, and by which generation. */
const liveSources = sql`source s
      where s.organization_id = (select app_organization()) and s.base_id = b.id and s.enabled and s.live_generation is not null`

const fingerprint = sql<string>`count(*) || ' ' || coalesce(sum(hashtextextended(s.embedding_model, s.live_generation)), 0)`

/** Those of the bases that are there, with what of them is searched. */
export async function readBases(ctx: Context, baseIds: readonly string[], { sourceIds, filter }: Narrowing): Promise<LiveBase[]> {
  const narrowed = sourceIds !== undefined || filter !== undefined
  const asked: RawBuilder<unknown> = sql`true${sourceIds === undefined ? sql`` : sql` and s.id = any(${sourceIds}::uuid[])`}${filter === undefined ? sql`` : sql` and ${matches(filter)}`}`
  const rows = await selectSql(
    ctx,
    sql<Omit<LiveBase, 'wanted'> & { wanted: string | null }>`
    select b.id, b.rag_settings as "ragSettings", live.*
    from base b
    cross join lateral (
      select ${fingerprint} as fingerprint,
        ${narrowed ? sql`string_agg(s.live_generation::text, ' ') filter (where ${asked})` : sql`null`} as wanted
      from ${liveSources}
    ) as live
    where b.organization_id = (select app_organization()) and b.id = any(${baseIds}::uuid[])`,
  )
  return rows.map(({ wanted, ...row }) => ({ ...row, wanted: narrowed ? (wanted ?? '').split(' ').filter(Boolean).map(Number) : null }))
}

export interface LiveGenerations {
  readonly fingerprint: string
  readonly generations: readonly { readonly generation: number; readonly compared: boolean }[]
}

/** The generations of a base that are searched; those are compared whose vectors are of the model. */
export async function readGenerations(ctx: Context, baseId: string, embeddingModel: string): Promise<LiveGenerations> {
  const [row] = await selectSql(
    ctx,
    sql<{ fingerprint: string; generations: { generation: number; compared: boolean }[] }>`
    select ${fingerprint} as fingerprint,
      coalesce(json_agg(json_build_object('generation', s.live_generation, 'compared', s.embedding_model = ${embeddingModel})), '[]') as generations
    from (select ${baseId}::uuid as id) as b, ${liveSources}`,
  )
  return row ?? { fingerprint: '', generations: [] }
}
