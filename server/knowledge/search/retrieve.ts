import { defaultRagSettings, type RagSettings, type SearchBase } from '@groundwork/api'
import { AppError } from '../../lib/errors.ts'
import type { LatencyEstimate } from '../../lib/latency-estimate.ts'
import type { KnowledgeContext } from '../context.ts'
import type { ConversationQuery } from './conversation.ts'
import { embedQuery } from './embed-query.ts'
import { late, withinTime, type LatencyBudget } from './latency-budget.ts'
import { rerankedPassages } from './rerank-hits.ts'
import { isSameScope } from '../index/scope-cache.ts'
import { searchDistinct, type DistinctHit } from './search-distinct.ts'
import { readSearchScope, type BaseScope } from '../index/search-scope.ts'

/** Returns the settings of a search in these knowledge bases. @throws AppError if they may not be searched */
export type SettingsOf = (bases: readonly BaseScope[]) => RagSettings

export interface RetrieveOptions {
  readonly baseIds: readonly string[]
  readonly input: SearchBase
  readonly conversation: ConversationQuery
  /** The text to embed. */
  readonly query: string
  readonly settingsOf: SettingsOf
  readonly budget: LatencyBudget
}

/** Parts of a reply beyond its passages. */
interface Extras {
  readonly rerank: boolean
  readonly neighbours: number | undefined
  readonly explain: boolean | undefined
}

/** The effective settings of a search. */
interface Settings {
  readonly hybridSearch: boolean
  readonly topK: number
  readonly similarityThreshold: number
  readonly rerank: boolean
  /** The extras that there is time for. */
  readonly extras: Extras
}

export interface Retrieved extends Settings {
  /** Null for a lexical search. */
  readonly queryVector: Float32Array | null
  readonly hits: readonly DistinctHit[] | typeof late
  /** Of `performance.now()`. */
  readonly embeddedAt: number
  readonly searchedAt: number
}

/** Searches at most, while sources change. */
const maxAttempts = 4

/**
 * Embeds the query and finds the passages. The first search uses the cached scope and reads the current scope together with
 * the passages, which saves a round trip to the database. It is repeated when the current scope differs, or when a passage
 * was deleted or replaced meanwhile.
 * @throws AppError `unavailable` when a vector search has no embedding; errors of `settingsOf`
 */
export async function retrieve(ctx: KnowledgeContext, options: RetrieveOptions): Promise<Retrieved> {
  const { baseIds, input, query, budget } = options
  const { search: latency } = ctx.searchLatencies
  const { scopes } = ctx.indexes
  const cached = scopes.find(ctx, baseIds, input)
  const read = (): Promise<readonly BaseScope[]> => {
    const reading = readSearchScope(ctx, baseIds, input)
    // Awaited below, unless something else fails first.
    reading.catch(() => undefined)
    return reading
  }
  let reading = cached === undefined || isLarge(cached) ? read() : undefined
  const [vector, first] = await Promise.all([
    embedQuery(ctx, query, budget.leftMs() - latency.estimateMs()),
    cached ?? withinTime(budget.leftMs(), () => reading ?? read()),
  ])
  const embeddedAt = performance.now()
  const queryVector = vector === late ? null : vector
  const missesVector = vector === null

  let scope = first
  for (let attempt = 1; ; attempt++) {
    const isSpeculative = scope === cached
    const settings = effectiveSettings(ctx, options, scope === late ? defaultRagSettings : options.settingsOf(scope))
    // After `settingsOf`: a scope that may not be searched must not be cached.
    if (scope !== late && !isSpeculative) scopes.set(ctx, baseIds, input, scope)
    if (missesVector && !settings.hybridSearch) throw new AppError('unavailable', 'The query could not be embedded. Try again shortly.')
    const verify = (): void => {
      if (isSpeculative) reading ??= read()
    }
    const found = scope === late ? late : await search(ctx, options, settings, queryVector, scope, verify)
    const done = (hits: Retrieved['hits']): Retrieved => ({ ...settings, queryVector, hits, embeddedAt, searchedAt: performance.now() })
    if (found === late) return done(late)
    if (isSpeculative) {
      const current = reading === undefined ? late : await withinTime(budget.leftMs(), () => reading ?? read())
      if (current === late) return done(late)
      if (!isSameScope(current, scope as readonly BaseScope[])) {
        scope = current
        continue
      }
    }
    if (found.complete || attempt === maxAttempts) return done(found.hits)
    scope = await withinTime(budget.leftMs(), read)
  }
}

function effectiveSettings(ctx: KnowledgeContext, { input, budget }: RetrieveOptions, settings: RagSettings): Settings {
  const rerank = input.rerank ?? settings.rerank
  return {
    hybridSearch: input.hybridSearch ?? settings.hybridSearch,
    topK: input.topK ?? settings.topK,
    similarityThreshold: input.similarityThreshold ?? settings.similarityThreshold,
    rerank,
    extras: affordable(budget.leftMs(), ctx.searchLatencies.search.estimateMs(), {
      rerank: rerank && ctx.reranker !== null,
      neighbours: input.neighbours,
      explain: input.explain,
    }),
  }
}

/** Returns the extras that there is time for. Reranking uses the time that the search leaves. */
function affordable(leftMs: number, usualMs: number, extras: Extras): Extras {
  const isHurried = leftMs < usualMs / 2
  return {
    rerank: extras.rerank && leftMs > usualMs,
    neighbours: isHurried ? undefined : extras.neighbours,
    explain: isHurried ? undefined : extras.explain,
  }
}

function search(
  ctx: KnowledgeContext,
  { baseIds, input, conversation, budget }: RetrieveOptions,
  { hybridSearch, topK, similarityThreshold, extras }: Settings,
  queryVector: Float32Array | null,
  scope: readonly BaseScope[],
  onReadPassages: () => void,
): Promise<{ hits: readonly DistinctHit[]; complete: boolean } | typeof late> {
  const query = {
    scope,
    onReadPassages,
    queryText: conversation.text,
    partial: input.partial,
    earlierText: conversation.earlier,
    queryVector,
    hybridSearch,
    ...(extras.rerank ? { topK: Math.max(topK, rerankedPassages), similarityThreshold: 0 } : { topK, similarityThreshold }),
    reindexId: input.reindexId,
    neighbours: extras.neighbours,
    explain: extras.explain,
    perSourceLimit: input.perSourceLimit,
    baseIds,
  }
  return withinTime(budget.leftMs(), (signal) =>
    timed(ctx.searchLatencies.search, () => searchDistinct(ctx, { ...query, signal }, { collapse: input.collapseDuplicates ?? true })),
  )
}

/** With this many sources, reading the scope takes as long as a search. It is read beside everything else. */
const isLarge = (bases: readonly BaseScope[]): boolean => bases.some(({ sources }) => sources > 1_000)

/** Records the duration of the work, also when it fails or is aborted: the next searches will take as long. */
async function timed<T>(estimate: LatencyEstimate, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    estimate.record(performance.now() - started)
  }
}
