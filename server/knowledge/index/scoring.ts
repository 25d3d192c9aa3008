import type { Statistics } from './bm25.ts'
import type { FeedbackDocument } from './feedback.ts'
import type { ScanRange } from './chunk-ranges.ts'

/** How the parts of a score are combined. */
export interface Scale {
  /** Whether BM25 takes part in the scores of chunks whose vectors take part. */
  readonly lexical: boolean
  /** The BM25 score at which the lexical score is one half. */
  readonly halfLexical: number
}

/** Weights of the parts of a score; a part that takes no part has weight 0. */
export interface Weights {
  readonly vector: number
  readonly lexical: number
  /** Weight of the feedback score, relative to a match of weight 1. */
  readonly feedback: number
}

/** Weights of the two parts of a hybrid match. */
const hybridWeights = { vector: 1, lexical: 2.5 }
/**
 * Weight of the feedback score. nDCG@10 on Cranfield is .417, .430 and .433 for 0, .3 and .4; on SciFact .734 for 0 and .736
 * for .4; on the other sets it changes by at most .01. Recall of the open chunking evaluation is 93.5, 93.6 and 93.6;
 * without the exception for a feedback document's own source it fell to 92.
 */
const feedbackWeight = 0.4

/** Returns the scale of a search. */
export const scaleOf = ({ lexical }: { readonly lexical: boolean }, { chunks }: Statistics): Scale => ({
  lexical,
  halfLexical: halfLexicalOf(chunks),
})

/** Returns the weights for chunks whose vectors mean something to this extent, 0 to 1. At 0 the score is lexical. */
export function weightsOf({ lexical }: Scale, competence: number): Weights {
  return {
    vector: hybridWeights.vector * competence,
    lexical: lexical || competence === 0 ? hybridWeights.lexical : 0,
    feedback: lexical ? feedbackWeight * competence : 0,
  }
}

/**
 * Returns the BM25 score that counts as one half: about three words that each occur once, in one chunk only. A word cannot
 * be as rare in a small knowledge base as in a large one, and the same match must score the same; above a thousand chunks
 * the value is constant.
 */
function halfLexicalOf(chunks: number): number {
  return 20 * Math.min(1, Math.log(2 + chunks) / Math.log(1000))
}

/** How a match score is computed: the sum of a vector part and a lexical part. */
export interface MatchParts {
  /** `weight` × `vectorScore`. */
  readonly vector: { readonly weight: number; readonly unrelatedCosine: number }
  /** `weight` × bm25 / (bm25 + `half`). */
  readonly lexical: { readonly weight: number; readonly half: number }
}

/** Returns the share of each part in the match score of chunks by their competence. */
export function matchParts(scale: Scale, unrelatedCosine: number): (competence: number) => MatchParts {
  return (competence) => {
    const weights = weightsOf(scale, competence)
    const total = weights.vector + weights.lexical
    return {
      vector: { weight: weights.vector / total, unrelatedCosine },
      lexical: { weight: weights.lexical / total, half: scale.halfLexical },
    }
  }
}

/** Returns a BM25 score on a scale from 0 to 1. */
export const lexicalScore = (bm25: number, half: number): number => bm25 / (bm25 + half)

/** How a relevance becomes a score: a logistic function s(x) = 1 / (1 + e^(`slope` × (`midpoint` - x))), rescaled to 0 and 1. */
export interface Calibration {
  readonly slope: number
  readonly midpoint: number
}

/**
 * With these values, the passages that answer a question of SQuAD or XQuAD have similar scores with each kind of search, with their best
 * sentences: about .26 at the 5th percentile, .46 at the 25th, .6 at the median and .82 at the 95th. `npm run bench:confidence` measures
 * the percentiles.
 */
const calibrations = {
  hybrid: { slope: 8, midpoint: 0.3 },
  vector: { slope: 5.6, midpoint: 0.545 },
  lexical: { slope: 6.5, midpoint: 0.245 },
}

/**
 * Returns the calibration of a search. All its scores have the same one, because it may change no order.
 * @param usesVectors whether vectors take part in the score of any chunk of the searched knowledge bases
 */
export const calibrationOf = ({ lexical }: { readonly lexical: boolean }, usesVectors: boolean): Calibration =>
  calibrations[usesVectors ? (lexical ? 'hybrid' : 'vector') : 'lexical']

/** Returns the score of a relevance, both 0 to 1. It grows with the relevance, so it changes no order. */
export function calibrated(relevance: number, { slope, midpoint }: Calibration): number {
  const s = (x: number): number => 1 / (1 + Math.exp(slope * (midpoint - x)))
  return (s(relevance) - s(0)) / (s(1) - s(0))
}

/** Combines match scores with feedback scores in one range of chunks. */
export interface Scores {
  /** Returns the score of a chunk; `feedback` is null for a chunk without a feedback score. */
  of(match: number, feedback: number | null): number
  /** Whether the chunks have feedback scores. */
  readonly hasFeedback: boolean
  /** The divisor of a match score when the feedback score is 0. */
  readonly divisor: number
  /** The most that feedback can add to a score. */
  readonly maxFeedback: number
}

/** Returns how scores are combined in a range. */
export function scoresOf(scale: Scale, feedback: readonly FeedbackDocument[]): (range: ScanRange) => Scores {
  const meanMatch = feedback.reduce((sum, { match }) => sum + match, 0) / Math.max(feedback.length, 1)
  return ({ competence }) => {
    const weight = feedback.length > 0 ? weightsOf(scale, competence).feedback : 0
    const divisor = 1 + weight
    return {
      of: (match, feedbackScore) => (feedbackScore === null ? match : (match + weight * feedbackScore) / divisor),
      hasFeedback: weight > 0,
      divisor,
      // Cosines are exact to about 2e-5.
      maxFeedback: weight > 0 ? (weight * (meanMatch + 1e-4)) / divisor : 0,
    }
  }
}
