import { analyzeQuery, type QueryTerm } from './analyze.ts'

/** The terms of a query and the weight of each group of terms. */
export interface WeightedTerms {
  readonly terms: readonly QueryTerm[]
  readonly weights: readonly number[]
}

/** Weight of a word from an earlier question, relative to a word of the question itself. */
const earlierWeight = 0.5

/**
 * Returns the terms of a question in each of the languages, followed by the terms that only earlier questions contain, at
 * half the weight.
 */
export function weightedTerms(text: string, earlier: string, languages: readonly string[]): WeightedTerms {
  const own = analyzeQuery(text, languages)
  const groups = (own.at(-1)?.group ?? -1) + 1
  const known = new Set(own.map(({ term, language }) => `${language} ${term}`))
  const more = earlier === '' ? [] : analyzeQuery(earlier, languages).filter(({ term, language }) => !known.has(`${language} ${term}`))
  const terms = [...own, ...more.map((each) => ({ ...each, group: groups + each.group }))]
  const weights = Array.from({ length: (terms.at(-1)?.group ?? 0) + 1 }, (_, group): number => (group < groups ? 1 : earlierWeight))
  for (const { group, weight } of terms) if (weight !== undefined) weights[group] = weight * (group < groups ? 1 : earlierWeight)
  return { terms, weights }
}
