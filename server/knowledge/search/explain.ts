import type { QueryTerm } from './analyze.ts'

/** How a score came about; the numbers make it up again. */
export interface Explanation {
  /** Words of the query that the passage has, the weightiest first. */
  words: MatchedWord[]
  /** Sum of what the words bring. */
  bm25: number
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

/** `word` is the group of the word's terms. */
export interface WordShare {
  readonly word: number
  readonly weight: number
  readonly bm25: number
}

interface Parts {
  readonly score: number
  readonly vector: number
  readonly lexical: number
  readonly cosine: number | null
  readonly words: readonly WordShare[] | null
}

/** @param halfLexical BM25 at which the lexical score is one half */
export function explained(
  { score, vector, lexical, cosine, words }: Parts,
  { terms, weights, halfLexical }: { terms: readonly QueryTerm[]; weights: Explanation['weights']; halfLexical: number },
): Explanation {
  const matched = (words ?? [])
    .map(({ word: group, ...shares }) => ({ word: terms.find((term) => term.group === group)?.word ?? '', ...shares }))
    .toSorted((a, b) => b.bm25 - a.bm25)
  const bm25 = matched.reduce((sum, each) => sum + each.bm25, 0)
  const lexically = `lexical = ${digits(bm25)} / (${digits(bm25)} + ${halfLexical}) = ${digits(lexical)}`
  const steps = [
    ...(weights.vector === 0 ? [] : [`vector = ${digits(vector)}`]),
    ...(weights.lexical === 0 ? [] : [lexically]),
    weights.vector === 0 || weights.lexical === 0
      ? `score = ${weights.vector === 0 ? 'lexical' : 'vector'} = ${digits(score)}`
      : `score = (${weights.vector} × vector + ${weights.lexical} × lexical) / ${weights.vector + weights.lexical} = ${digits(score)}`,
  ]
  return { words: matched, bm25, cosine, weights, formula: steps.join('; ') }
}

const digits = (value: number): string => String(Number(value.toFixed(6)))
