import type { WeightedTerms } from '../index/query-terms.ts'
import { answerTypes, wordKinds, type AnswerType } from './answer-type.ts'
import { passageWords } from './passage-words.ts'

/** A question whose answers are highlighted: its text, terms, and the inverse document frequency of each group of terms. */
export interface HighlightedQuestion extends WeightedTerms {
  readonly text: string
}

/** A question, prepared for passages of one language. Each distinct word has a number; content words come first. */
export interface PreparedQuestion {
  /** Numbers of the words by their terms; stop words by their lower-case form. */
  readonly numbers: ReadonlyMap<string, number>
  /** Weight of each content word, by number. */
  readonly weights: readonly number[]
  readonly totalWeight: number
  /** Content words that are capitalized, are numbers, or follow the question word ("what position"). */
  readonly capitalized: ReadonlySet<number>
  readonly numeric: ReadonlySet<number>
  readonly focus: ReadonlySet<number>
  /** Pairs of neighbouring words, as `pairOf` numbers them. */
  readonly pairs: ReadonlySet<number>
  readonly types: ReadonlySet<AnswerType>
  /** Returns the number of a content word with the same beginning as a term, such as "invas" and "invad"; undefined without one. */
  similarTo(term: string): number | undefined
}

export const pairOf = (first: number, second: number): number => first * 1024 + second

const minPrefix = 4
/** Part of a term that another one must share to be similar. */
const sharedPart = 0.7
const beforeFocus = /^(?:what|which|whose|many|much|kind|type|sort|name|welche[rnsm]?|viele|qué|cuál|quelle?s?|quale|quali|qual|welke?)$/

export function prepareQuestion({ text, terms, weights: groupWeights }: HighlightedQuestion, language: string): PreparedQuestion {
  const numbers = new Map<string, number>()
  const byGroup = new Map<number, number>()
  const weights: number[] = []
  for (const { group, term, anyOf } of terms) {
    const known = byGroup.get(group) ?? numbers.get(term)
    const number = known ?? weights.push(groupWeights[group] ?? 0) - 1
    byGroup.set(group, number)
    for (const key of anyOf === undefined ? [term] : [term, ...anyOf.map((each) => each.term)])
      if (!numbers.has(key)) numbers.set(key, number)
  }
  const [capitalized, numeric, focus] = [new Set<number>(), new Set<number>(), new Set<number>()]
  const sequence: number[] = []
  const words = passageWords(text, language)
  for (const [at, { keys, kinds }] of words.entries()) {
    for (const key of keys) {
      const number = numbers.get(key) ?? weights.length + sequence.length
      if (!numbers.has(key)) numbers.set(key, number)
      sequence.push(number)
      if (number >= weights.length) continue
      if ((kinds & wordKinds.capital) !== 0 && at > 0) capitalized.add(number)
      if ((kinds & (wordKinds.number | wordKinds.year)) !== 0) numeric.add(number)
      if (isBeforeFocus(words[at - 1]?.keys[0]) || /^(?:what|which)$/.test(words[at - 2]?.keys[0] ?? '')) focus.add(number)
    }
  }
  const pairs = new Set(sequence.slice(1).map((number, at) => pairOf(sequence[at] ?? 0, number)))
  return {
    numbers,
    weights,
    totalWeight: weights.reduce((sum, weight) => sum + weight, 0) || 1,
    capitalized,
    numeric,
    focus,
    pairs,
    types: new Set(answerTypes(text)),
    similarTo: similarTerms(numbers, weights.length),
  }
}

const isBeforeFocus = (key: string | undefined): boolean => key !== undefined && beforeFocus.test(key)

const prefixOf = (term: string): string => term.slice(0, Math.max(minPrefix, Math.ceil(term.length * sharedPart)))

function similarTerms(numbers: ReadonlyMap<string, number>, contentWords: number): (term: string) => number | undefined {
  const own = Array.from(numbers, ([term, number]) => ({ term, number, prefix: prefixOf(term) })).filter(
    ({ term, number }) => number < contentWords && term.length >= minPrefix && !/\p{N}/u.test(term),
  )
  const known = new Map<string, number | undefined>()
  return (term) => {
    if (term.length < minPrefix) return undefined
    let similar = known.get(term)
    if (similar !== undefined || known.has(term)) return similar
    const prefix = prefixOf(term)
    similar = own.find((each) => term.startsWith(each.prefix) || each.term.startsWith(prefix))?.number
    known.set(term, similar)
    return similar
  }
}
