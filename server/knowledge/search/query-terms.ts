import { analyzeQuery, type QueryTerm } from './analyze.ts'

/** The words of a query, and what each group of their terms weighs. */
export interface WeightedTerms {
  readonly terms: readonly QueryTerm[]
  readonly weights: readonly number[]
}

/** Of a word of an earlier question, beside one of the question itself. */
const earlierWeight = 0.5

/** The terms of a question, as they are in texts of the languages, and, for less, those that only the earlier ones have. */
export function weightedTerms(text: string, earlier: string, languages: readonly string[]): WeightedTerms {
  const own = analyzeQuery(text, languages)
  const groups = (own.at(-1)?.group ?? -1) + 1
  const known = new Set(own.map(({ term, language }) => `${language} ${term}`))
  const more = earlier === '' ? [] : analyzeQuery(earlier, languages).filter(({ term, language }) => !known.has(`${language} ${term}`))
  const terms = [...own, ...more.map((each) => ({ ...each, group: groups + each.group }))]
  const weights = Array.from({ length: (terms.at(-1)?.group ?? 0) + 1 }, (_, group) => (group < groups ? 1 : earlierWeight))
  return { terms, weights }
}
