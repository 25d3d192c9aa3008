import { withTransaction } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import type { KnowledgeContext } from '../context.ts'
import { requireBase } from '../rows/bases.ts'
import { storedSettings } from '../rows/settings.ts'
import { searchBase } from '../search/search-base.ts'
import { judge, type Expectation, type Judged, type Search, type SearchSettings } from './judge.ts'
import { measure, type Measures } from './measure.ts'
import { allQuestions } from './saved-questions.ts'

type GivenSettings = { readonly [K in keyof SearchSettings]?: SearchSettings[K] | undefined }

export interface EvaluateOptions extends GivenSettings {
  /** The search to evaluate, by default `searchBase`; another one can search a shadow index. */
  readonly search?: Search
  /** Once it is aborted, the evaluation throws its reason before the next question. */
  readonly signal?: AbortSignal
}

export interface Evaluated extends Measures {
  /** One result for each question, oldest first. */
  readonly judged: readonly Judged[]
  /** Number of skipped questions, whose expected sources are all deleted. */
  readonly skipped: number
}

/**
 * Runs all evaluation questions of the knowledge base, one after the other, and stores nothing; `compare` compares two runs.
 * The settings of the knowledge base are the defaults. Do not call it within a transaction.
 * @throws AppError `not_found`, and the errors of the search
 */
export async function evaluate(ctx: KnowledgeContext, baseId: string, options: EvaluateOptions = {}): Promise<Evaluated> {
  const { search = searchBase, signal } = options
  const { settings, expectations, skipped } = await withTransaction(ctx, (trx) => prepare(trx, baseId, options))
  const judged: Judged[] = []
  for (const expectation of expectations) {
    signal?.throwIfAborted()
    judged.push(await judge(ctx, baseId, expectation, { search, settings }))
  }
  return { ...measure(judged), judged, skipped }
}

export interface Prepared {
  readonly settings: SearchSettings
  readonly expectations: readonly Expectation[]
  readonly skipped: number
}

/**
 * Returns the questions of a run, oldest first, and its settings.
 * @throws AppError `not_found`
 */
export async function prepare(trx: Transaction, baseId: string, given: GivenSettings): Promise<Prepared> {
  const of = storedSettings((await requireBase(trx, baseId)).rag_settings)
  const saved = await allQuestions(trx, baseId)
  const known = saved.filter((row) => row.expected_source_ids.length > 0 || row.expected_text !== null)
  return {
    settings: {
      topK: given.topK ?? of.topK,
      similarityThreshold: given.similarityThreshold ?? of.similarityThreshold,
      hybridSearch: given.hybridSearch ?? of.hybridSearch,
      rerank: given.rerank ?? of.rerank,
    },
    expectations: known.map((row) => ({
      questionId: row.id,
      question: row.question,
      expectedSourceIds: row.expected_source_ids,
      expectedText: row.expected_text,
    })),
    skipped: saved.length - known.length,
  }
}
