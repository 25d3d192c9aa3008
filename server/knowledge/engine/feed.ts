import { groupBy } from '../../lib/group-by.ts'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { noOrganization, selectSql, withTransaction } from '../../context.ts'
import { runOnEvents } from '../../events/run-on-events.ts'
import { createLoopRegistry, type LoopRegistry } from '../../lib/loop-health.ts'
import type { KnowledgeContext, KnowledgeServices } from '../context.ts'
import type { CoreServices } from '../../context.ts'
import { readEngineChunks } from './engine-chunks.ts'
import { allIndices, bulkLines, createIndex } from './mapping.ts'
import { EngineUnavailable, type OpenSearch } from './opensearch.ts'
import type { SearchEngineSettings } from './search-url.ts'
import { readSearched, type NotedGeneration, type SearchedGeneration } from './searched-generations.ts'

/** Polling interval: not every change of a generation has an event. */
const pollMs = 1_000
/** Minimum interval between polls. */
const gapMs = 100
/** Pause after the engine has not answered. */
const unavailableMs = 2_000
/** Changes that are worked on together. */
const changesPerBatch = 100
/** Longest time without progress after which another program takes over. */
const leaseSeconds = 60
/** Chunks that one request removes. */
const removedAtOnce = 5_000
/** Characters of a bulk request. */
const maxBulkLength = 4_000_000
const bulkTimeoutMs = 30_000

export interface EngineTarget {
  readonly client: OpenSearch
  readonly settings: SearchEngineSettings
}

type Services = CoreServices & KnowledgeServices

/** Sends the noted changes of all organizations to the search engine until none is left, or the signal is aborted. */
export async function followChanges(services: Services, target: EngineTarget, signal?: AbortSignal): Promise<void> {
  const rows = await selectSql(
    { ...services, organizationId: noOrganization },
    sql<{ id: string }>`select id from organizations_with_search_changes() as id`,
  )
  let left = rows.map(({ id }) => id)
  // One batch of each in turn, so that a large knowledge base does not delay the others.
  while (left.length > 0) {
    const unfinished: string[] = []
    for (const organizationId of left) {
      if (signal?.aborted === true) return
      if (await followBatch({ ...services, organizationId }, target)) unfinished.push(organizationId)
    }
    left = unfinished
  }
}

interface Change extends NotedGeneration {
  readonly change: string
}

/** Follows some changes of the organization. @returns false if there were none */
async function followBatch(ctx: KnowledgeContext, target: EngineTarget): Promise<boolean> {
  const changes = await claim(ctx)
  if (changes.length === 0) return false
  try {
    await follow(ctx, target, changes)
  } catch (error) {
    if (!(error instanceof RefusedChunks)) {
      await release(ctx, changes)
      throw error
    }
    // The others do not wait for those that are refused. Their lease ends later.
    for (const change of changes) await followAlone(ctx, target, change)
  }
  return true
}

async function follow(ctx: KnowledgeContext, target: EngineTarget, changes: readonly Change[]): Promise<void> {
  const searched = await readSearched(ctx, changes)
  const live = new Set(searched.map(({ baseId, generation }) => `${baseId} ${generation}`))
  const progress = (): Promise<void> => prolong(ctx, changes)
  const gone = changes.filter(({ baseId, generation }) => !live.has(`${baseId} ${generation}`))
  await remove(ctx, target, gone, progress)
  await store(ctx, target, searched, progress)
  await settle(ctx, changes)
}

async function followAlone(ctx: KnowledgeContext, target: EngineTarget, change: Change): Promise<void> {
  try {
    await follow(ctx, target, [change])
  } catch (err) {
    if (!(err instanceof RefusedChunks)) throw err
    ctx.log.error({ err, ...change }, 'the search engine refuses the chunks of a generation')
  }
}

/** The search engine refuses chunks that it would refuse again. */
class RefusedChunks extends Error {}

async function claim(ctx: KnowledgeContext): Promise<Change[]> {
  return withTransaction(ctx, async (trx) => {
    const { rows } = await sql<Change>`
      update search_outbox o set leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}::integer)
      from (
        select generation from search_outbox
        where organization_id = (select app_organization()) and (leased_until is null or leased_until < clock_timestamp())
        order by change limit ${changesPerBatch}::integer for update skip locked
      ) as next
      where o.organization_id = (select app_organization()) and o.generation = next.generation
      returning o.generation, o.base_id as "baseId", o.change::text as change`.execute(trx)
    return rows
  })
}

const ofChanges = (changes: readonly Change[]) => sql`organization_id = (select app_organization())
  and generation = any(${changes.map(({ generation }) => generation)}::bigint[])`

/** Keeps the changes for another `leaseSeconds`. */
async function prolong(ctx: KnowledgeContext, changes: readonly Change[]): Promise<void> {
  await withTransaction(ctx, (trx) =>
    sql`update search_outbox set leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}::integer)
      where ${ofChanges(changes)}`.execute(trx),
  )
}

/** Lets another attempt take the changes. */
async function release(ctx: KnowledgeContext, changes: readonly Change[]): Promise<void> {
  await withTransaction(ctx, (trx) => sql`update search_outbox set leased_until = null where ${ofChanges(changes)}`.execute(trx))
}

/** Deletes the changes. Those that were noted again meanwhile are followed again. */
async function settle(ctx: KnowledgeContext, changes: readonly Change[]): Promise<void> {
  await withTransaction(ctx, (trx) =>
    sql`with done as (
        delete from search_outbox o using unnest(${changes.map(({ generation }) => generation)}::bigint[],
          ${changes.map(({ change }) => change)}::bigint[]) as d (generation, change)
        where o.organization_id = (select app_organization()) and o.generation = d.generation and o.change = d.change
        returning o.generation
      )
      update search_outbox set leased_until = null where ${ofChanges(changes)} and generation not in (select generation from done)`.execute(
      trx,
    ),
  )
}

interface StoredPlaces {
  readonly hits: { readonly hits: readonly { readonly _index: string; readonly _id: string; readonly _routing: string }[] }
}

/** Removes all chunks of the generations, also those that another program has stored in a wrong place. */
async function remove(
  ctx: KnowledgeContext,
  target: EngineTarget,
  gone: readonly NotedGeneration[],
  progress: () => Promise<void>,
): Promise<void> {
  const { client, settings } = target
  for (const [baseId, generations] of groupBy(gone, (each) => each.baseId)) {
    const filter = [
      { term: { organization: ctx.organizationId } },
      { term: { base: baseId } },
      { terms: { generation: generations.map(({ generation }) => generation) } },
    ]
    const body = { size: removedAtOnce, _source: false, track_total_hits: false, query: { bool: { filter } } }
    for (;;) {
      await refresh(target)
      const path = `/${allIndices(settings)}/_search?ignore_unavailable=true`
      const found = (await client.request({ method: 'POST', path, body, timeoutMs: bulkTimeoutMs })).body as StoredPlaces
      const lines = found.hits.hits.map(
        ({ _index, _id, _routing }) => `${JSON.stringify({ delete: { _index, _id, routing: _routing } })}\n`,
      )
      if (lines.length === 0) break
      await bulk(client, lines.join(''))
      await progress()
    }
  }
}

/** Stores the chunks of the generations. @param progress is called after each request */
async function store(
  ctx: KnowledgeContext,
  { client, settings }: EngineTarget,
  generations: readonly SearchedGeneration[],
  progress: () => Promise<void>,
): Promise<void> {
  if (generations.length === 0) return
  const created = new Set<number>()
  let lines: string[] = []
  let length = 0
  const send = async (): Promise<void> => {
    if (lines.length > 0) await bulk(client, lines.join(''))
    lines = []
    length = 0
    await progress()
  }
  for (const generation of generations) {
    for await (const chunks of readEngineChunks(ctx, generation)) {
      for (const chunk of chunks) {
        const { length: dimensions } = chunk.vector
        if (!created.has(dimensions)) await createIndex(client, settings, dimensions)
        created.add(dimensions)
        const added = bulkLines(settings, chunk)
        lines.push(added)
        length += added.length
        if (length > maxBulkLength) await send()
      }
    }
  }
  await send()
  await refresh({ client, settings })
}

async function bulk(client: OpenSearch, body: string): Promise<void> {
  const response = await client.request({ method: 'POST', path: '/_bulk', body, timeoutMs: bulkTimeoutMs })
  const { errors, items } = response.body as { errors: boolean; items: Record<string, { status: number; error?: unknown }>[] }
  if (!errors) return
  // 404: the chunk is deleted already.
  const failed = items.flatMap((item) => Object.values(item)).filter(({ status }) => status >= 300 && status !== 404)
  const detail = JSON.stringify(failed[0]?.error ?? null).slice(0, 500)
  if (failed.length === 0) return
  if (failed.some(({ status }) => status === 429 || status === 503)) throw new EngineUnavailable(detail)
  throw new RefusedChunks(`${failed.length} chunks were refused: ${detail}`)
}

/** Makes all stored chunks visible to searches. */
export async function refresh({ client, settings }: EngineTarget): Promise<void> {
  await client.request({ method: 'POST', path: `/${allIndices(settings)}/_refresh?ignore_unavailable=true`, timeoutMs: bulkTimeoutMs })
}

/** Starts to follow the changes of all organizations, until it is stopped. */
export function startEngineFeed(
  services: Services,
  target: EngineTarget,
  { loops = createLoopRegistry(services) }: { loops?: LoopRegistry } = {},
): { stop(): Promise<void> } {
  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      await followChanges(services, target, signal)
    } catch (err) {
      // Searches go on without the engine, so the program stays ready.
      if (!(err instanceof EngineUnavailable)) throw err
      services.log.warn({ err }, 'the search engine does not follow changes; they are sent again')
      await sleep(unavailableMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return runOnEvents(services, run, { health: loops.loop('search engine'), pollMs, gapMs })
}
