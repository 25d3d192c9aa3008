import { atomically, type Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { requireBase } from '../bases/bases.ts'
import { storedSettings } from '../bases/settings.ts'
import { searchBase } from '../search/search-base.ts'
import { judge, type Expectation, type Judged, type Search, type SearchSettings } from './judge.ts'
import { measure, type Measures } from './measure.ts'
import { allQuestions } from './saved-questions.ts'

type GivenSettings = { readonly [K in keyof SearchSettings]?: SearchSettings[K] | undefined }

export interface EvaluateOptions extends GivenSettings {
  /** Of the form of `searchBase`, which it is by default: another one can look into an index that is not the live one. */
  readonly search?: Search
  /** When it is aborted, the evaluation throws its reason before the next question. */
  readonly signal?: AbortSignal
}

export interface Evaluated extends Measures {
  /** One for each question, oldest first. */
  readonly judged: readonly Judged[]
  /** Questions that were left out, since every source that answers them is deleted. */
  readonly skipped: number
}

/**
 * Asks all saved questions of the base, one after the other, and keeps nothing; `compare` tells two runs apart. What the
 * options leave open is as the base is set. Not for within a transaction.
 * @throws AppError `not_found`, and what the search throws
 */
export async function evaluate(ctx: Context, baseId: string, options: EvaluateOptions = {}): Promise<Evaluated> {
  const { search = searchBase, signal } = options
  const { settings, expectations, skipped } = await atomically(ctx, (trx) => prepare(trx, baseId, options))
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
 * What is to be asked, oldest first, and with which settings.
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
