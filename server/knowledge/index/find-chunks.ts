import { isDeepStrictEqual } from 'node:util'
import type { SearchStep } from '../../lib/measurements.ts'
import type { QueryTerm } from './analyze.ts'
import type { Term } from './base-index.ts'
import type { BaseIndexes, CurrentIndex, IndexContext, ModelPart } from './base-indexes.ts'
import { comparedInLanguage, type ModelQuery } from './compared-model.ts'
import { compoundSplits, withCompoundParts } from './compounds.ts'
import { UnreadableIndexFile } from './positioned-file.ts'
import { readPrefixTerms, withPrefixExpansion } from './prefix-expansion.ts'
import { weightedTerms } from './query-terms.ts'
import { modelParts, rankByModel, type CalibratedRanking } from './rank-by-model.ts'
import type { ScratchBuffers } from './scratch-buffers.ts'
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

/** A part of a knowledge base with the index that is ranked. */
export interface IndexedPart extends CurrentIndex {
  readonly base: BaseScope
  readonly compared: ModelQuery
  /** The generations to search; null for all. */
  readonly selected: readonly number[] | null
}

/** The terms of a query, and the weight of each group of terms. */
export interface WeightedQuery {
  readonly terms: readonly QueryTerm[]
  readonly termWeights: readonly number[]
}

/** The indexes of a search. */
export interface SearchedIndexes {
  /** Returns the parts of the scope, with the languages of their chunks. */
  open(): Promise<readonly IndexedPart[]>
  /**
   * Completes the document frequencies of the terms.
   * @param alternatives those of them that count as one
   */
  loadTerms(terms: readonly Term[], alternatives: readonly Term[] | undefined): Promise<void>
  /** Returns the parts with the chunks to rank. */
  find(query: WeightedQuery): Promise<readonly IndexedPart[]>
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
  const find = (): Promise<FoundChunks> => findIn(ctx, query, inMemory(ctx, indexes, query), indexes.scratch, signal)
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof UnreadableIndexFile)) throw error
    // The database still has what a damaged file had.
    await indexes.discard(ctx, modelParts(query.scope, query.compared), error)
    return find()
  }
}

/** Returns the indexes in memory, which have all chunks. */
function inMemory(ctx: IndexContext, indexes: BaseIndexes, { scope, compared }: IndexQuery): SearchedIndexes {
  let opened: readonly (IndexedPart & { readonly part: ModelPart })[] = []
  return {
    async open() {
      opened = await Promise.all(
        modelParts(scope, compared).map(async ({ base, compared: own, ...part }) => ({
          base,
          compared: own,
          part,
          selected: base.selected,
          ...(await indexes.of(ctx, { ...part, fingerprint: base.fingerprint })),
        })),
      )
      return opened
    },
    async loadTerms(terms) {
      await Promise.all(opened.map(({ index, part }) => indexes.loadTerms(ctx, part, index, terms)))
    },
    find: async () => opened,
  }
}

/** Does the same as `findChunks` in these indexes. */
export async function findIn(
  ctx: IndexContext,
  query: IndexQuery,
  indexes: SearchedIndexes,
  scratch: ScratchBuffers,
  signal: Pick<AbortSignal, 'throwIfAborted'> | undefined,
): Promise<FoundChunks> {
  const timer = stepTimer(ctx)
  const opened = await indexes.open()
  timer.end('index')
  const announced = announce(opened)
  try {
    if (announced.length > 0) await new Promise(setImmediate)
    timer.restart()
    return await findInOpened(opened, ctx, query, { indexes, scratch, signal, timer })
  } finally {
    for (const end of announced) end()
  }
}

/** Smaller indexes are scanned in less time than a turn of the event loop can take. */
const minShared = 50_000

/**
 * Announces the query to large indexes. Searches that arrive before the next turn of the event loop do the same, and one scan of the vectors
 * then serves all of them.
 * @returns functions to call after the search
 */
const announce = (parts: readonly IndexedPart[]): (() => void)[] =>
  parts.flatMap(({ index: { size, vectors }, compared: { vector } }) =>
    vector !== null && vectors?.dimensions === vector.length && size >= minShared ? [vectors.binary.announce(vector)] : [],
  )

interface Search {
  readonly indexes: SearchedIndexes
  readonly scratch: ScratchBuffers
  readonly signal: Pick<AbortSignal, 'throwIfAborted'> | undefined
  readonly timer: StepTimer
}

async function findInOpened(
  opened: readonly IndexedPart[],
  ctx: IndexContext,
  query: IndexQuery,
  { indexes, scratch, signal, timer }: Search,
): Promise<FoundChunks> {
  const { queryText, lexical, topK, perSourceLimit, explain } = query
  const languages = [...new Set(opened.flatMap(({ index }) => index.languages))]
  const weighted = weightedTerms(queryText, query.earlierText, languages)
  const unfinished = query.partial ? await readPrefixTerms(ctx, query.baseIds, queryText, weighted.terms) : null
  const splits = compoundSplits(weighted.terms)
  const needed = [...weighted.terms, ...(unfinished?.terms ?? []), ...splits.flatMap(({ parts }) => parts)]
  await indexes.loadTerms(needed, unfinished?.terms)
  const frequencyOf = (term: Term): number => opened.reduce((sum, { index }) => sum + index.postingsOf(term).count, 0)
  const occurs = unfinished?.own.some((term) => frequencyOf(term) > 0) ?? false
  const expanded = unfinished === null ? weighted : withPrefixExpansion(weighted, unfinished, occurs)
  const { terms, weights: termWeights } = withCompoundParts(expanded, splits, frequencyOf)
  timer.end('terms')
  signal?.throwIfAborted()
  const searched = await comparedInLanguage(await indexes.find({ terms, termWeights }), queryText, languages)
  const ranking = rankByModel(searched, { terms, termWeights, lexical, topK, perSourceLimit, explain }, scratch)
  timer.end('rank')
  return {
    ...ranking,
    terms,
    hasSameModels: searched.every(({ base, models }) => isDeepStrictEqual(models, base.models)),
    isStored: searched.every(({ index }) => index.storedChunks > 0),
  }
}

interface StepTimer {
  /** Records the time since the start, the last step or the last restart as a step of the search. */
  readonly end: (step: SearchStep) => void
  readonly restart: () => void
}

function stepTimer({ measurements }: IndexContext): StepTimer {
  let startedAt = performance.now()
  const restart = (): void => void (startedAt = performance.now())
  return {
    end(step) {
      measurements.searchStep(step, (performance.now() - startedAt) / 1000)
      restart()
    },
    restart,
  }
}
