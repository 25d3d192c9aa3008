import type { QueryTerm } from '../index/analyze.ts'
import type { TermContribution } from '../index/bm25.ts'
import { calibrated, type Calibration, type Scale, type Weights } from '../index/scoring.ts'
import { sentenceWeight, withSentence } from './order-by-sentences.ts'

/** How a score was computed; the numbers reproduce it. */
export interface Explanation {
  /** Query words that occur in the passage, by descending contribution. */
  words: MatchedWord[]
  /** The sum of the contributions. */
  bm25: number
  /** BM25 at which the lexical score is one half. */
  halfBm25: number
  /** -1 to 1; null if the vector takes no part. */
  cosine: number | null
  weights: { vector: number; lexical: number }
  /** The computation step by step, with numbers to six digits. */
  formula: string
}

interface MatchedWord {
  word: string
  /** Its inverse document frequency; half of it for a word that occurs in earlier questions only. */
  weight: number
  bm25: number
}

/** The numbers that a hit's relevance is computed from. */
export interface ScoreParts {
  readonly vector: number
  readonly lexical: number
  readonly feedback: number | null
  readonly cosine: number | null
  readonly contributions: readonly TermContribution[]
  readonly weights: Weights
  readonly terms: readonly QueryTerm[]
  readonly scale: Scale
}

/** A score and what it is computed from. */
interface ExplainedScore {
  readonly score: number
  /** Without the sentence. */
  readonly relevance: number
  readonly calibration: Calibration
  readonly scores: { readonly sentence: number | null; readonly rerank?: number }
}

/** Returns the explanation of one hit. */
export function toExplanation(
  { vector, lexical, feedback, cosine, contributions, weights, terms, scale }: ScoreParts,
  { score, relevance: base, calibration, scores: { sentence, rerank } }: ExplainedScore,
): Explanation {
  const { halfLexical } = scale
  const matched = contributions
    .map(({ group, ...contribution }) => ({ word: terms.find((term) => term.group === group)?.word ?? '', ...contribution }))
    .toSorted((a, b) => b.bm25 - a.bm25)
  const bm25 = matched.reduce((sum, each) => sum + each.bm25, 0)
  const match =
    weights.vector === 0 || weights.lexical === 0
      ? { how: weights.vector === 0 ? 'lexical' : 'vector', value: weights.vector === 0 ? lexical : vector }
      : {
          how: `(${digits(weights.vector)} × vector + ${weights.lexical} × lexical) / ${digits(weights.vector + weights.lexical)}`,
          value: (weights.vector * vector + weights.lexical * lexical) / (weights.vector + weights.lexical),
        }
  const relevance = withSentence(base, sentence)
  const { slope, midpoint } = calibration
  const plusSentence = sentence === null ? '' : ` + ${sentenceWeight} × sentence`
  const steps = [
    ...(weights.vector === 0 ? [] : [`vector = ${digits(vector)}`]),
    ...(weights.lexical === 0 ? [] : [`lexical = ${digits(bm25)} / (${digits(bm25)} + ${digits(halfLexical)}) = ${digits(lexical)}`]),
    ...(feedback === null ? [] : [`match = ${match.how} = ${digits(match.value)}`, `agreement = ${digits(feedback)}`]),
    ...(sentence === null ? [] : [`sentence = ${digits(sentence)}`]),
    `relevance = ${feedback === null ? match.how : `(match + ${digits(weights.feedback)} × agreement) / ${digits(1 + weights.feedback)}`}${plusSentence} = ${digits(relevance)}`,
    `score = (s(relevance) - s(0)) / (s(1) - s(0)) with s(x) = 1 / (1 + e^(${slope} × (${midpoint} - x))) = ${digits(calibrated(relevance, calibration))}`,
    ...(rerank === undefined ? [] : [`reranked: score = rerank = ${digits(score)}`]),
  ]
  return {
    words: matched,
    bm25,
    halfBm25: halfLexical,
    cosine,
    weights: { vector: weights.vector, lexical: weights.lexical },
    formula: steps.join('; '),
  }
}

const digits = (value: number): string => String(Number(value.toFixed(6)))
