import { calibrated } from '../index/scoring.ts'
import { passageComparer, type ComparedPassage, type Highlight } from './highlights.ts'
import { late, type LatencyBudget } from './latency-budget.ts'
import type { Retrieved } from './retrieve.ts'
import type { DistinctHit } from './search-chunks.ts'

/** A hit, with its highlights if its sentences were compared. */
export interface OrderedHit extends DistinctHit {
  readonly scores: DistinctHit['scores'] & { readonly sentence: number | null }
  readonly highlights?: Highlight[]
}

export interface Ordered {
  readonly hits: readonly OrderedHit[] | typeof late
  /** Compares the sentences of a further passage with the question; null if there was no time for it. */
  readonly compare: ((hit: DistinctHit) => ComparedPassage) | null
  /** Of `performance.now()`. */
  readonly orderedAt: number
}

/** Number of passages whose sentences are compared, independent of `topK`, so that a larger `topK` only extends the list. */
export const comparedPassages = 10
/** Time that the comparison of one hit's sentences takes, with a margin. */
export const comparisonMs = 0.1

/**
 * The most that the best sentence can add to the relevance. nDCG@10 with 0, .05, .07 and .1: .911, .917, .918, .919 on SQuAD; .965, .967,
 * .967, .967 on XQuAD in Spanish; .436, .435, .434, .435 on Cranfield; .779, .781, .783, .780 on Covid FAQ; the other sets of XQuAD,
 * banking77 and anthropic-docs change by at most .001.
 */
export const sentenceWeight = 0.07

/**
 * Orders the ten best hits by a score that includes their best sentences; only searches with vectors alone keep their order, and those
 * without time for it. The sentence only raises a score, so the hits after the ten still have lower scores.
 */
export function orderBySentences({ hits, question, hybridSearch }: Retrieved, budget: LatencyBudget): Ordered {
  const compare = question !== null && budget.leftMs() > comparedPassages * comparisonMs ? passageComparer(question) : null
  const ordered = (): OrderedHit[] | typeof late => {
    if (hits === late) return late
    if (compare === null || !hybridSearch) return hits.map(withoutSentence)
    const best = hits.slice(0, comparedPassages).map((hit) => {
      const { highlights, sentence } = compare(hit)
      const score = calibrated(withSentence(hit.relevance, sentence), hit.calibration)
      return { ...hit, highlights, score, scores: { ...hit.scores, sentence } }
    })
    return [...best.toSorted((a, b) => b.score - a.score), ...hits.slice(comparedPassages).map(withoutSentence)]
  }
  return { hits: ordered(), compare, orderedAt: performance.now() }
}

const withoutSentence = (hit: DistinctHit): OrderedHit => ({ ...hit, scores: { ...hit.scores, sentence: null } })

/** Returns the relevance of a passage with its best sentence, both 0 to 1. */
export const withSentence = (relevance: number, sentence: number | null): number =>
  Math.min(relevance + sentenceWeight * (sentence ?? 0), 1)
