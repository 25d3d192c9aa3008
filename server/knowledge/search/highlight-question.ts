import type { WeightedTerms } from '../index/query-terms.ts'
import { answerTypes, wordKinds, type AnswerType } from './answer-type.ts'
import { prefixLength, vocabularyOf, WordList, wordsOf, type Vocabulary } from './passage-words.ts'

/** A question whose answers are highlighted: its text, terms, and the inverse document frequency of each group of terms. */
export interface HighlightedQuestion extends WeightedTerms {
  readonly text: string
}

/** A term of a content word of the question. */
interface Stem {
  readonly term: string
  readonly number: number
}

/** A question, prepared for passages of one language. Each distinct word has a number; content words come first. */
export interface PreparedQuestion {
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
  /** The vocabulary that numbers the terms below. */
  readonly vocabulary: Vocabulary
  /** The words of the passage that is compared. */
  readonly words: WordList
  /** Numbers of the words by their terms; of stop words by their lower-case form. */
  readonly numbers: TermTable<number>
  /** Content words by the first letters of their terms. */
  readonly stems: TermTable<readonly Stem[]>
}

/** A map from terms of a vocabulary. Most words of a passage are not in the question, which one bit for each term tells. */
export class TermTable<T> {
  readonly #bits = new Uint8Array(4096)
  readonly #values = new Map<number, T>()

  set(term: number, value: T): void {
    this.#bits[term & 4095] = 1
    this.#values.set(term, value)
  }

  get(term: number): T | undefined {
    return this.#bits[term & 4095] === 0 ? undefined : this.#values.get(term)
  }
}

export const pairOf = (first: number, second: number): number => first * 1024 + second

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
  const words = wordsOf(text, language)
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
  const vocabulary = vocabularyOf(language)
  const numbered = new TermTable<number>()
  for (const [term, number] of numbers) numbered.set(vocabulary.numberOf(term), number)
  return {
    vocabulary,
    words: new WordList(),
    numbers: numbered,
    weights,
    totalWeight: weights.reduce((sum, weight) => sum + weight, 0) || 1,
    capitalized,
    numeric,
    focus,
    pairs,
    types: new Set(answerTypes(text)),
    stems: stemsOf(numbers, weights.length, vocabulary),
  }
}

const isBeforeFocus = (key: string | undefined): boolean => key !== undefined && beforeFocus.test(key)

function stemsOf(numbers: ReadonlyMap<string, number>, contentWords: number, vocabulary: Vocabulary): TermTable<Stem[]> {
  const stems = new TermTable<Stem[]>()
  for (const [term, number] of numbers) {
    if (number >= contentWords || term.length < prefixLength || /\p{N}/u.test(term)) continue
    const prefix = vocabulary.numberOf(term.slice(0, prefixLength))
    stems.set(prefix, [...(stems.get(prefix) ?? []), { term, number }])
  }
  return stems
}

/**
 * Returns the number of a content word whose term begins like that of a word, such as "invas" and "invad"; undefined without one.
 * @param prefix number of the first letters of the word's term; 0 without
 */
export function similarWord({ stems, vocabulary }: PreparedQuestion, prefix: number, wordTerm: number): number | undefined {
  const alike = prefix === 0 ? undefined : stems.get(prefix)
  if (alike === undefined) return undefined
  const term = vocabulary.termOf(wordTerm)
  return alike.find((stem) => term.startsWith(beginningOf(stem.term)) || stem.term.startsWith(beginningOf(term)))?.number
}

const beginningOf = (term: string): string => term.slice(0, Math.max(prefixLength, Math.ceil(term.length * sharedPart)))
