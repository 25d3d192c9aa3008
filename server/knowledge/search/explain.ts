import type { QueryTerm } from '../index/analyze.ts'
import type { TermContribution } from '../index/bm25.ts'
import type { Calibration, Scale, Weights } from '../index/scoring.ts'

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

interface Parts {
  readonly score: number
  /** Passages are ranked by it. */
  readonly relevance: number
  readonly vector: number
  readonly lexical: number
  readonly feedback: number | null
  readonly cosine: number | null
  readonly contributions: readonly TermContribution[]
  readonly weights: Weights
}

/** Returns the explanation of one hit. */
export function toExplanation(
  { score, relevance, vector, lexical, feedback, cosine, contributions, weights }: Parts,
  { terms, scale, calibration: { slope, midpoint } }: { terms: readonly QueryTerm[]; scale: Scale; calibration: Calibration },
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
  const steps = [
    ...(weights.vector === 0 ? [] : [`vector = ${digits(vector)}`]),
    ...(weights.lexical === 0 ? [] : [`lexical = ${digits(bm25)} / (${digits(bm25)} + ${digits(halfLexical)}) = ${digits(lexical)}`]),
    ...(feedback === null
      ? [`relevance = ${match.how} = ${digits(relevance)}`]
      : [
          `match = ${match.how} = ${digits(match.value)}`,
          `agreement = ${digits(feedback)}`,
          `relevance = (match + ${digits(weights.feedback)} × agreement) / ${digits(1 + weights.feedback)} = ${digits(relevance)}`,
        ]),
    `score = (s(relevance) - s(0)) / (s(1) - s(0)) with s(x) = 1 / (1 + e^(${slope} × (${midpoint} - x))) = ${digits(score)}`,
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
