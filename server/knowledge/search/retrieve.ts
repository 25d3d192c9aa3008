import { defaultRagSettings, type RagSettings, type SearchBase } from '@groundwork/api'
import { AppError } from '../../lib/errors.ts'
import type { LatencyEstimate } from '../../lib/latency-estimate.ts'
import type { KnowledgeContext } from '../context.ts'
import type { ConversationQuery } from './conversation.ts'
import { late, withinTime, type LatencyBudget } from './latency-budget.ts'
import { comparedPassages } from './order-by-sentences.ts'
import { rerankedPassages } from './rerank-hits.ts'
import { queryEmbedder, type EmbeddedQuery } from './embedded-query.ts'
import type { HighlightedQuestion } from './highlight-question.ts'
import { searchDistinct, type DistinctHit, type FoundHits } from './search-chunks.ts'
import { isSameScope, type BaseScope, type ScopeResolution } from '../index/search-scope.ts'

/** Returns the settings of a search in these knowledge bases. @throws AppError if they may not be searched */
export type SettingsOf = (bases: readonly BaseScope[]) => RagSettings

export interface RetrieveOptions {
  readonly scope: ScopeResolution
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
  /** The query by embedding model, see `QueryEmbedder`. */
  readonly embedded: readonly Pick<EmbeddedQuery, 'vector'>[]
  readonly hits: readonly DistinctHit[] | typeof late
  /** Null if the passages were not found in time. */
  readonly question: HighlightedQuestion | null
  /** 0 to 1, see `searchChunks`; 0 for a late search. */
  readonly confidence: number
  /** Whether the search engine has yet to follow changes of the knowledge bases. */
  readonly isLagging: boolean
  /** Of `performance.now()`. */
  readonly embeddedAt: number
  readonly searchedAt: number
}

const tooLate = { hits: late, confidence: 0, isLagging: false, question: null } as const

/** Searches at most, while sources change. */
const maxAttempts = 4

/**
 * Embeds the query and finds the passages. The first search uses the cached scope and reads the current scope together with
 * the passages, which saves a round trip to the database. It is repeated when the current scope differs, or when a passage
 * was deleted or replaced meanwhile.
 * @throws AppError `unavailable` when a vector search has no embedding; errors of `settingsOf`
 */
export async function retrieve(ctx: KnowledgeContext, options: RetrieveOptions): Promise<Retrieved> {
  const { scope: resolution, query, budget } = options
  const { cached } = resolution
  const embedFor = queryEmbedder(ctx, query, () => budget.leftMs() - ctx.searchLatencies.search.estimateMs())
  const current = (): Promise<readonly BaseScope[]> => (resolution.reading ??= resolution.read())
  // Most scopes have vectors of the program's model, so the query is embedded by it while the scope is read.
  const [, first] = await Promise.all([embedFor(cached), cached ?? withinTime(budget.leftMs(), current)])
  let scope = first
  let embedded = await embedFor(scope === late ? undefined : scope)
  const embeddedAt = performance.now()

  for (let attempt = 1; ; attempt++) {
    const isSpeculative = scope === cached
    const settings = effectiveSettings(ctx, options, scope === late ? defaultRagSettings : options.settingsOf(scope))
    // After `settingsOf`: a scope that may not be searched must not be cached.
    if (scope !== late && !isSpeculative) resolution.keep(scope)
    if (embedded.every(({ failed }) => failed) && !settings.hybridSearch)
      throw new AppError('unavailable', 'The query could not be embedded. Try again shortly.')
    const verify = (): void => {
      if (isSpeculative) void current()
    }
    const found = scope === late ? late : await search(ctx, options, settings, embedded, scope, verify)
    const done = ({
      hits,
      confidence,
      isLagging,
      question,
    }: Pick<Retrieved, 'hits' | 'confidence' | 'isLagging' | 'question'>): Retrieved => ({
      ...settings,
      embedded,
      hits,
      confidence,
      isLagging,
      question,
      embeddedAt,
      searchedAt: performance.now(),
    })
    if (found === late) return done(tooLate)
    if (isSpeculative) {
      const verified = resolution.reading === undefined ? late : await withinTime(budget.leftMs(), current)
      if (verified === late) return done(tooLate)
      if (!isSameScope(verified, scope as readonly BaseScope[])) {
        scope = verified
        embedded = await embedFor(scope)
        continue
      }
    }
    if (found.complete || attempt === maxAttempts) return done(found)
    scope = await withinTime(budget.leftMs(), resolution.read)
    if (scope !== late) embedded = await embedFor(scope)
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
  { hybridSearch, topK, extras }: Settings,
  embedded: readonly EmbeddedQuery[],
  scope: readonly BaseScope[],
  onReadPassages: () => void,
): Promise<FoundHits<DistinctHit> | typeof late> {
  const query = {
    scope,
    onReadPassages,
    queryText: conversation.text,
    partial: input.partial,
    earlierText: conversation.earlier,
    embedded,
    hybridSearch,
    topK: Math.max(topK, extras.rerank ? rerankedPassages : hybridSearch ? comparedPassages : 0),
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

/** Records the duration of the work, also when it fails or is aborted: the next searches will take as long. */
async function timed<T>(estimate: LatencyEstimate, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    estimate.record(performance.now() - started)
  }
}
