import type { QueryTerm } from './analyze.ts'
import type { WordShare } from './bm25.ts'
import type { Scale } from './rank.ts'

/** How a score came about; the numbers make it up again. */
export interface Explanation {
  /** Words of the query that the passage has, the weightiest first. */
  words: MatchedWord[]
  /** Sum of what the words bring. */
  bm25: number
  /** BM25 at which the lexical score is one half. */
  halfBm25: number
  /** -1 to 1; null where there was nothing to compare. */
  cosine: number | null
  weights: { vector: number; lexical: number }
  /** The score, computed step by step, numbers to six digits. */
  formula: string
}

interface MatchedWord {
  word: string
  /** How rare it is, as BM25 has it; half of that for a word of an earlier question alone. */
  weight: number
  bm25: number
}

interface Parts {
  readonly score: number
  readonly vector: number
  readonly lexical: number
  readonly agreement: number | null
  readonly cosine: number | null
  readonly words: readonly WordShare[]
}

export function explained(
  { score, vector, lexical, agreement, cosine, words }: Parts,
  { terms, scale }: { terms: readonly QueryTerm[]; scale: Scale },
): Explanation {
  const { weights, halfLexical, agreementWeight } = scale
  const matched = words
    .map(({ word: group, ...shares }) => ({ word: terms.find((term) => term.group === group)?.word ?? '', ...shares }))
    .toSorted((a, b) => b.bm25 - a.bm25)
  const bm25 = matched.reduce((sum, each) => sum + each.bm25, 0)
  const match =
    weights.vector === 0 || weights.lexical === 0
      ? { how: weights.vector === 0 ? 'lexical' : 'vector', value: weights.vector === 0 ? lexical : vector }
      : {
          how: `(${weights.vector} × vector + ${weights.lexical} × lexical) / ${weights.vector + weights.lexical}`,
          value: (weights.vector * vector + weights.lexical * lexical) / (weights.vector + weights.lexical),
        }
  const steps = [
    ...(weights.vector === 0 ? [] : [`vector = ${digits(vector)}`]),
    ...(weights.lexical === 0 ? [] : [`lexical = ${digits(bm25)} / (${digits(bm25)} + ${digits(halfLexical)}) = ${digits(lexical)}`]),
    ...(agreement === null
      ? [`score = ${match.how} = ${digits(score)}`]
      : [
          `match = ${match.how} = ${digits(match.value)}`,
          `agreement = ${digits(agreement)}`,
          `score = (match + ${agreementWeight} × agreement) / ${1 + agreementWeight} = ${digits(score)}`,
        ]),
  ]
  return { words: matched, bm25, halfBm25: halfLexical, cosine, weights, formula: steps.join('; ') }
}

const digits = (value: number): string => String(Number(value.toFixed(6)))
