import { isDeepStrictEqual } from 'node:util'
import type { SearchStep } from '../../lib/measurements.ts'
import type { QueryTerm } from './analyze.ts'
import type { Term } from './base-index.ts'
import type { BaseIndexes, IndexContext } from './base-indexes.ts'
import type { ModelQuery } from './compared-model.ts'
import { compoundSplits, withCompoundParts } from './compounds.ts'
import { UnreadableIndexFile } from './positioned-file.ts'
import { readPrefixTerms, withPrefixExpansion } from './prefix-expansion.ts'
import { weightedTerms } from './query-terms.ts'
import { modelParts, rankByModel, type CalibratedRanking } from './rank-by-model.ts'
import type { BaseScope } from './search-scope.ts'

/** A search in the indexes of knowledge bases. */
export interface IndexQuery {
  readonly baseIds: readonly string[]
  /** The scope to search, as `readSearchScope` returned it. */
  readonly scope: readonly BaseScope[]
  /** The query by embedding model. Chunks with vectors of other models are found by their terms. */
  readonly compared: readonly ModelQuery[]
  readonly queryText: string
  /** Whether the last word may be unfinished. */
  readonly partial: boolean
  /** Earlier questions of the conversation, whose terms count less. */
  readonly earlierText: string
  readonly topK: number
  /** Whether BM25 takes part beside vectors. */
  readonly lexical: boolean
  /** Maximum chunks of one source. */
  readonly perSourceLimit: number | null
  /** Include the BM25 contribution of each term. */
  readonly explain: boolean
}

export interface FoundChunks extends CalibratedRanking {
  /** The terms of the query in the languages of the knowledge bases. */
  readonly terms: readonly QueryTerm[]
  /** Whether the indexes have the embedding models of the scope. A re-index can have switched to others since. */
  readonly hasSameModels: boolean
  /** Whether all indexes are large ones, whose vectors and postings stay in files. */
  readonly isStored: boolean
}

/**
 * Returns the best chunks by the indexes, best first, which are first updated to the fingerprints of the scope. Some of the chunks may
 * no longer exist.
 * @throws the signal's reason after an abort
 */
export async function findChunks(
  ctx: IndexContext,
  indexes: BaseIndexes,
  query: IndexQuery,
  signal?: Pick<AbortSignal, 'throwIfAborted'>,
): Promise<FoundChunks> {
  try {
    return await findOnce(ctx, indexes, query, signal)
  } catch (error) {
    if (!(error instanceof UnreadableIndexFile)) throw error
    // The database still has what a damaged file had.
    await indexes.discard(ctx, modelParts(query.scope, query.compared), error)
    return findOnce(ctx, indexes, query, signal)
  }
}

async function findOnce(
  ctx: IndexContext,
  indexes: BaseIndexes,
  query: IndexQuery,
  signal: Pick<AbortSignal, 'throwIfAborted'> | undefined,
): Promise<FoundChunks> {
  const { queryText, lexical, topK, perSourceLimit, explain } = query
  const endStep = stepTimer(ctx)
  const searched = await Promise.all(
    modelParts(query.scope, query.compared).map(async ({ base, compared, ...part }) => ({
      base,
      compared,
      part,
      selected: base.selected,
      ...(await indexes.of(ctx, { ...part, fingerprint: base.fingerprint })),
    })),
  )
  endStep('index')
  const languages = [...new Set(searched.flatMap(({ index }) => index.languages))]
  const weighted = weightedTerms(queryText, query.earlierText, languages)
  const unfinished = query.partial ? await readPrefixTerms(ctx, query.baseIds, queryText, weighted.terms) : null
  const splits = compoundSplits(weighted.terms)
  const needed = [...weighted.terms, ...(unfinished?.terms ?? []), ...splits.flatMap(({ parts }) => parts)]
  await Promise.all(searched.map(({ index, part }) => indexes.loadTerms(ctx, part, index, needed)))
  const frequencyOf = (term: Term): number => searched.reduce((sum, { index }) => sum + index.postingsOf(term).count, 0)
  const occurs = unfinished?.own.some((term) => frequencyOf(term) > 0) ?? false
  const expanded = unfinished === null ? weighted : withPrefixExpansion(weighted, unfinished, occurs)
  const { terms, weights: termWeights } = withCompoundParts(expanded, splits, frequencyOf)
  endStep('terms')
  signal?.throwIfAborted()
  const ranking = rankByModel(searched, { terms, termWeights, lexical, topK, perSourceLimit, explain }, indexes.scratch)
  endStep('rank')
  return {
    ...ranking,
    terms,
    hasSameModels: searched.every(({ base, models }) => isDeepStrictEqual(models, base.models)),
    isStored: searched.every(({ index }) => index.storedChunks > 0),
  }
}

/** Returns a function that records the time since its last call, or since the start, as a step of the search. */
function stepTimer({ measurements }: IndexContext): (step: SearchStep) => void {
  let startedAt = performance.now()
  return (step) => {
    const now = performance.now()
    measurements.searchStep(step, (now - startedAt) / 1000)
    startedAt = now
  }
}
