import {
  defaultRagSettings,
  wireId,
  type RagSettings,
  type SearchBase,
  type SearchBases,
  type SearchHit,
  type SearchReply,
} from '@groundwork/api'
import { apart, type Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import type { Pace } from '../../lib/pace.ts'
import { noBase } from '../bases/bases.ts'
import { requireAll } from '../bases/require.ts'
import { storedSettings } from '../bases/settings.ts'
import { budgetOf, inTime, late, type Budget } from './budget.ts'
import { askedIn, searchedText } from './conversation.ts'
import { embedQuery } from './embed-query.ts'
import { readBases, type LiveBase } from './live.ts'
import { rerankedPassages, rerankHits, type RerankedHit } from './rerank-hits.ts'
import { searchDistinct, type DistinctHit } from './search-distinct.ts'
import { areSame } from './seen-bases.ts'

/**
 * The passages of one base that answer the query, best first. What the input leaves open is as the base is set.
 * What cannot be compared by meaning, because the query cannot be embedded or a source was embedded by another model, is
 * found by its words alone, and passages that cannot be reranked keep the score of the search; `degraded` says so.
 * @throws AppError `not_found` for the base, `unavailable` when a search by meaning alone has no embedding, and for a re-index
 * `validation_error` where it is not there, `conflict` where it is over
 */
export function searchBase(ctx: Context, baseId: string, input: SearchBase): Promise<SearchReply> {
  return search(ctx, [baseId], input, ([base]) => {
    if (base === undefined) throw noBase()
    if (input.reindexId !== undefined) requireBuilt(base)
    return storedSettings(base.ragSettings)
  })
}

/** @throws AppError `validation_error` for a re-index that is not there, `conflict` for one that is over */
function requireBuilt({ reindexStatus = null }: LiveBase): void {
  if (reindexStatus === null) throw new AppError('validation_error', 'reindexId: there is no such re-index', { field: 'reindexId' })
  if (reindexStatus !== 'building' && reindexStatus !== 'ready')
    throw new AppError('conflict', `only a re-index that is building or ready can be tried; this one is ${reindexStatus}`, {
      field: 'reindexId',
    })
}

/**
 * The same of several bases, as if they were one: their passages are compared by one scale. What the input leaves open is
 * as a new base is set, whatever these are.
 * @throws AppError `validation_error` for a base that is not there, `unavailable` as above
 */
export function searchBases(ctx: Context, { baseIds, ...input }: SearchBases): Promise<SearchReply> {
  return search(ctx, baseIds, input, (bases) => {
    requireAll(baseIds, bases)
    return defaultRagSettings
  })
}

async function search(
  ctx: Context,
  baseIds: readonly string[],
  input: SearchBase,
  settingsOf: (bases: readonly LiveBase[]) => RagSettings,
): Promise<SearchReply> {
  const started = performance.now()
  const { search: pace, overrun } = ctx.searchPaces
  const budget = budgetOf(ctx, input.latencyBudgetMs)
  const asked = input.messages === undefined ? { text: input.query ?? '', earlier: '' } : askedIn(input.messages)
  const query = searchedText(asked)
  // No part of a request that is one transaction: none is to be open while the reranker works.
  const own = apart(ctx)
  const seen = ctx.indexes.seen.find(own, baseIds, input)
  const read = (): Promise<LiveBase[]> => {
    const reading = readBases(own, baseIds, input)
    // It is awaited later, unless something else fails before.
    reading.catch(() => undefined)
    return reading
  }
  const early = seen === undefined || areLarge(seen) ? read() : undefined
  const [vector, bases] = await Promise.all([
    embedQuery(ctx, query, budget.leftMs() - pace.usualMs()),
    seen ?? inTime(budget.leftMs(), () => early ?? read()),
  ])
  const embedded = performance.now()
  const queryVector = vector === late ? null : vector

  /** As the bases are set and filled, as far as that is known. */
  async function look(of: readonly LiveBase[] | typeof late, beside?: () => void): Promise<Look> {
    const settings = of === late ? defaultRagSettings : settingsOf(of)
    if (of !== late && of !== seen) ctx.indexes.seen.note(own, baseIds, input, of)
    const hybridSearch = input.hybridSearch ?? settings.hybridSearch
    if (vector === null && !hybridSearch) throw new AppError('unavailable', 'the query could not be embedded; try again shortly')
    const topK = input.topK ?? settings.topK
    const similarityThreshold = input.similarityThreshold ?? settings.similarityThreshold
    const rerank = input.rerank ?? settings.rerank
    const wanted = within(budget.leftMs(), pace.usualMs(), {
      rerank: rerank && ctx.reranker !== null,
      neighbours: input.neighbours,
      explain: input.explain,
    })
    const looking = (signal: AbortSignal, inThese: readonly LiveBase[]): Promise<DistinctHit[]> =>
      noted(pace, () =>
        searchDistinct(
          own,
          {
            baseIds,
            bases: inThese,
            beside,
            queryText: asked.text,
            partial: input.partial,
            earlierText: asked.earlier,
            queryVector,
            hybridSearch,
            ...(wanted.rerank ? { topK: Math.max(topK, rerankedPassages), similarityThreshold: 0 } : { topK, similarityThreshold }),
            sourceIds: input.sourceIds,
            reindexId: input.reindexId,
            filter: input.filter,
            neighbours: wanted.neighbours,
            explain: wanted.explain,
            perSourceLimit: input.perSourceLimit,
            signal,
          },
          { collapse: input.collapseDuplicates ?? true },
        ),
      )
    const found = of === late ? late : await inTime(budget.leftMs(), (signal) => looking(signal, of))
    return { hybridSearch, topK, similarityThreshold, rerank, wanted, found }
  }

  const { hybridSearch, topK, similarityThreshold, rerank, wanted, found } =
    seen === undefined ? await look(bases) : await lookAgain(seen, look, budget, () => early ?? read())
  const searched = performance.now()
  const reranked =
    found === late || !wanted.rerank ? null : await inTime(budget.leftMs(), (signal) => rerankHits(ctx, query, found, signal))
  const rerankedAt = performance.now()
  const scored = reranked === null || reranked === late ? found : reranked
  const hits = scored === late ? [] : scored.filter(({ score }) => score >= similarityThreshold).slice(0, topK)
  const data = hits.map(toSearchHit)
  const ended = performance.now()
  const leftOut = {
    vector: queryVector === null || hits.some(({ scores }) => scores.vector === null),
    rerank: rerank && (scored === found || scored === late),
    neighbours: (input.neighbours ?? 0) > 0 && wanted.neighbours === undefined,
    explain: input.explain === true && wanted.explain === undefined,
    search: found === late,
  }
  const reply: SearchReply = {
    data,
    query,
    scoredBy: scored !== found ? 'rerank' : queryVector === null ? 'lexical' : hybridSearch ? 'hybrid' : 'vector',
    timings: {
      embedMs: rounded(embedded - started),
      searchMs: rounded(searched - embedded),
      rerankMs: wanted.rerank ? rounded(rerankedAt - searched) : 0,
      assembleMs: rounded(ended - rerankedAt),
      totalMs: rounded(ended - started),
    },
    degraded: Object.entries(leftOut).flatMap(([what, isLeftOut]) => (isLeftOut ? [what] : [])),
  }
  // What only tries an index out, or is not said to its end, is no question that was asked.
  if (input.reindexId === undefined && input.partial !== true) ctx.retrievals.record(ctx, baseIds, reply)
  if (input.latencyBudgetMs !== undefined) overrun.note(Math.max(0, -budget.leftMs()))
  return reply
}

/** What came of a search, and how it was done. */
interface Look {
  readonly hybridSearch: boolean
  readonly topK: number
  readonly similarityThreshold: number
  readonly rerank: boolean
  readonly wanted: Extras
  readonly found: DistinctHit[] | typeof late
}

/** Of so many sources it takes as long to ask how they are now as to search them. */
const areLarge = (bases: readonly LiveBase[]): boolean => bases.some(({ sources }) => sources > 1_000)

/**
 * Searches the bases as they were seen last. How they are now is asked together with the passages, which saves a search its
 * first question to the database, or, of large ones, beside everything else; where it is not the same, what was found does
 * not count.
 */
async function lookAgain(
  seen: readonly LiveBase[],
  look: (of: readonly LiveBase[] | typeof late, beside?: () => void) => Promise<Look>,
  budget: Budget,
  read: () => Promise<readonly LiveBase[]>,
): Promise<Look> {
  let reading: Promise<readonly LiveBase[]> | undefined
  const looked = await look(seen, () => {
    reading = read()
  })
  const now = await (reading === undefined ? late : inTime(budget.leftMs(), () => reading ?? Promise.resolve(seen)))
  if (now === late) return { ...looked, found: late }
  return areSame(now, seen) ? looked : look(now)
}

/** What a search is asked for beyond its passages. */
interface Extras {
  readonly rerank: boolean
  readonly neighbours: number | undefined
  readonly explain: boolean | undefined
}

/** Those of the extras that there is time for: passages are reranked in what their search leaves. */
function within(leftMs: number, usualMs: number, asked: Extras): Extras {
  const hurried = leftMs < usualMs / 2
  return {
    rerank: asked.rerank && leftMs > usualMs,
    neighbours: hurried ? undefined : asked.neighbours,
    explain: hurried ? undefined : asked.explain,
  }
}

/** Also what nobody waits for any longer: the next searches will take as long. */
async function noted<T>(pace: Pace, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    pace.note(performance.now() - started)
  }
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100

function toSearchHit(hit: DistinctHit | RerankedHit): SearchHit {
  const { chunkId, sourceId, baseId, neighbours } = hit
  const found = { ...hit, chunkId: wireId('chk', chunkId), sourceId: wireId('src', sourceId), baseId: wireId('kb', baseId) }
  if (neighbours === undefined) return found
  return { ...found, neighbours: { before: neighbours.before.map(withWireId), after: neighbours.after.map(withWireId) } }
}

const withWireId = <T extends { chunkId: string }>(passage: T): T => ({ ...passage, chunkId: wireId('chk', passage.chunkId) })
