import { analyzeQuery, type QueryTerm } from './analyze.ts'

/** The terms of a query and the weight of each group: the forms of one word, in each language. */
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
  const current = analyzeQuery(text, languages)
  const groupCount = (current.at(-1)?.group ?? -1) + 1
  const known = new Set(current.map(({ term, language }) => `${language} ${term}`))
  const previous = earlier === '' ? [] : analyzeQuery(earlier, languages).filter(({ term, language }) => !known.has(`${language} ${term}`))
  const terms = [...current, ...previous.map((each) => ({ ...each, group: groupCount + each.group }))]
  const weights = Array.from({ length: (terms.at(-1)?.group ?? 0) + 1 }, (_, group): number => (group < groupCount ? 1 : earlierWeight))
  for (const { group, weight } of terms) if (weight !== undefined) weights[group] = weight * (group < groupCount ? 1 : earlierWeight)
  return { terms, weights }
}
