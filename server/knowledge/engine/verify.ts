import type { OwnerQuery } from '../../db/owner-query.ts'
import { refresh, type EngineTarget } from './feed.ts'
import { allIndices } from './mapping.ts'
import { searchedGenerations } from './searched-generations.ts'

/** A generation of which the search engine has another number of chunks than the database. */
export interface EngineDifference {
  readonly organizationId: string
  readonly baseId: string
  readonly generation: number
  /** Chunks that the search engine should have. */
  readonly expected: number
  readonly stored: number
}

/** Generations that one page of counts has. */
const pageSize = 5_000
const timeoutMs = 60_000

interface Page {
  readonly aggregations?: {
    readonly generations: {
      readonly after_key?: object
      readonly buckets: readonly {
        readonly key: { readonly organization: string; readonly base: string; readonly generation: number }
        readonly doc_count: number
      }[]
    }
  }
}

/** Compares the chunks of each generation. Generations with noted changes are left out, since a program works on them. */
export async function verifyEngine(query: OwnerQuery, target: EngineTarget): Promise<{ readonly differences: EngineDifference[] }> {
  const keyOf = ({ organizationId, baseId, generation }: Pick<EngineDifference, 'organizationId' | 'baseId' | 'generation'>): string =>
    `${organizationId} ${baseId} ${generation}`
  // First the engine: a change that it has not followed is noted until it has.
  const stored = new Map((await countStored(target)).map((each) => [keyOf(each), each]))
  const rows = await query<{ organizationId: string; baseId: string; generation: number; expected: number }>(
    `select s.organization_id as "organizationId", s.base_id as "baseId", s.generation::float8 as generation,
      coalesce((select sum(chunks) from index_generation i where i.organization_id = s.organization_id and i.generation = s.generation), 0)::float8 as expected
    from (${searchedGenerations}) as s`,
  )
  const noted = new Set(
    (await query<{ key: string }>(`select organization_id || ' ' || generation as key from search_outbox`)).map(({ key }) => key),
  )
  const expected = new Map(rows.map((each) => [keyOf(each), each]))
  const all = new Map<string, Pick<EngineDifference, 'organizationId' | 'baseId' | 'generation'>>([...stored, ...expected])
  const differences = Array.from(all, ([key, { organizationId, baseId, generation }]) => ({
    organizationId,
    baseId,
    generation,
    expected: expected.get(key)?.expected ?? 0,
    stored: stored.get(key)?.stored ?? 0,
  })).filter((each) => each.expected !== each.stored && !noted.has(`${each.organizationId} ${each.generation}`))
  return { differences }
}

async function countStored(target: EngineTarget): Promise<Omit<EngineDifference, 'expected'>[]> {
  await refresh(target)
  const { client, settings } = target
  const counts: Omit<EngineDifference, 'expected'>[] = []
  const sources = ['organization', 'base', 'generation'].map((field) => ({ [field]: { terms: { field } } }))
  for (let after: object | undefined; ;) {
    const composite = { size: pageSize, sources, ...(after !== undefined && { after }) }
    const { body } = await client.request({
      method: 'POST',
      path: `/${allIndices(settings)}/_search?ignore_unavailable=true`,
      body: { size: 0, track_total_hits: false, aggs: { generations: { composite } } },
      timeoutMs,
    })
    const { buckets = [], after_key: next } = (body as Page).aggregations?.generations ?? {}
    for (const { key, doc_count: stored } of buckets)
      counts.push({ organizationId: key.organization, baseId: key.base, generation: key.generation, stored })
    if (next === undefined || buckets.length < pageSize) return counts
    after = next
  }
}

/** Notes the generations, so that the programs store or remove them. */
export async function noteGenerations(query: OwnerQuery, generations: readonly EngineDifference[]): Promise<void> {
  await query(
    `insert into search_outbox (organization_id, generation, base_id, change)
    select organization, generation, base, nextval('search_outbox_change')
    from unnest($1::uuid[], $2::bigint[], $3::uuid[]) as n (organization, generation, base)
    on conflict (organization_id, base_id, generation) do update set change = excluded.change`,
    [
      generations.map(({ organizationId }) => organizationId),
      generations.map(({ generation }) => generation),
      generations.map(({ baseId }) => baseId),
    ],
  )
}

/** Returns the number of noted changes. */
export async function countWaiting(query: OwnerQuery): Promise<number> {
  return (await query<{ count: number }>('select count(*)::integer as count from search_outbox'))[0]?.count ?? 0
}
