import { withAsciiDigits } from '../../lib/ascii-digits.ts'
import { sentenceSplitter } from '../chunk/sentences.ts'
import { analysisLanguage, analyze } from '../index/analyze.ts'
import { isSafeToRender } from './links.ts'
import { writtenNumbers } from './written-numbers.ts'

/** A sentence and passages are compared by these. */
interface Facts {
  /** Index terms, without stop words. */
  readonly terms: ReadonlySet<string>
  /** Words in lower case. */
  readonly words: ReadonlySet<string>
  /** Numbers in ASCII digits, without separators and leading zeros, and the numbers between their separators: 9:00 is 900, 9 and 0; and those of `writtenNumbers`. */
  readonly numbers: ReadonlySet<string>
}

/** Share of the terms of a sentence that its passages must contain. */
const minCoverage = 0.5

const wordPattern = /[\p{L}\p{M}]+(?:['’]\p{L}+)*/gu
const numberPattern = /\p{Nd}+(?:[.,:/'’\u00a0-]\p{Nd}+)*/gu
/** Markers of passages, such as [2] or [1, 3]. */
export const markerPattern = /\s*\[\s*\d{1,3}(?:\s*[,;]\s*\d{1,3})*\s*\]/g

const negations = new Set(
  `no not never none nor without cannot can't isn't aren't don't doesn't didn't won't wasn't weren't kein keine keinen keiner keinem keines
  nicht nie niemals ohne weder pas jamais aucun aucune sans ni nunca ningún ninguna sin non mai nessun nessuna senza não nem nenhum sem niet
  geen nooit zonder inte aldrig ingen inget ikke нет не никогда без`.split(/\s+/),
)

/** Checks sentences against the passages of one question. */
export interface Grounding {
  /**
   * Returns the indexes of passages that support a sentence: the cited ones if they do, else any one. Empty if no passage does.
   * A passage supports a sentence if it has most of its terms, all of its numbers, names, links and HTML, and says it neither
   * more nor less in the negative. No passage supports an image.
   * @param cited indexes of the passages that the sentence cites
   */
  supporting(sentence: string, cited: readonly number[]): number[]
}

/** @param language ISO 639-1 code of the passages; null if unknown */
export function groundingIn(passages: readonly string[], question: string, language: string | null): Grounding {
  const analysis = analysisLanguage(language)
  const split = sentenceSplitter(language)
  const facts = passages.map((passage) => factsOf(passage, analysis, language))
  const asked = factsOf(question, analysis, language)
  // German writes all nouns with a capital letter.
  const checksNames = language !== 'de'

  function support(sentence: string, indexes: readonly number[]): boolean {
    const known = merged(indexes.flatMap((index) => facts[index] ?? []))
    const said = factsOf(sentence, analysis, language)
    const texts = indexes.map((index) => passages[index] ?? '')
    if (said.terms.size === 0 || coverage(said.terms, known.terms) < minCoverage) return false
    const numbers = [...digitsIn(sentence).map(bare), ...writtenNumbers(sentence, language).map(String)]
    if (numbers.some((number) => !known.numbers.has(number) && !asked.numbers.has(number))) return false
    if (checksNames && namesIn(sentence).some((name) => !known.words.has(name) && !asked.words.has(name))) return false
    return isSafeToRender(sentence, texts) && !isReversed(sentence, said.terms, texts)
  }

  /** Returns whether the sentence denies what the most similar sentence of the passages says, or the other way round. */
  function isReversed(sentence: string, terms: ReadonlySet<string>, texts: readonly string[]): boolean {
    let best = { share: minCoverage, text: '' }
    for (const text of texts) {
      for (const { start, end } of split(text, 0, text.length)) {
        const share = coverage(terms, new Set(analyze(text.slice(start, end), analysis)))
        if (share > best.share) best = { share, text: text.slice(start, end) }
      }
    }
    return best.text !== '' && isNegative(best.text) !== isNegative(sentence)
  }

  return {
    supporting(marked, cited) {
      const sentence = marked.replace(markerPattern, '')
      const existing = [...new Set(cited)].filter((index) => index in passages)
      const alone = existing.filter((index) => support(sentence, [index]))
      if (alone.length > 0) return alone
      if (existing.length > 1 && support(sentence, existing)) return existing
      const other = passages.findIndex((_, index) => support(sentence, [index]))
      return other < 0 ? [] : [other]
    },
  }
}

function factsOf(text: string, analysis: string, language: string | null): Facts {
  const digits = digitsIn(text).flatMap((number) => [number, ...number.split(/\P{Nd}+/u)])
  return {
    terms: new Set(analyze(text, analysis)),
    words: new Set([...text.matchAll(wordPattern)].map(([word]) => word.toLowerCase())),
    numbers: new Set([...digits.map(bare), ...writtenNumbers(text, language).map(String)]),
  }
}

function merged(all: readonly Facts[]): Facts {
  return {
    terms: new Set(all.flatMap(({ terms }) => [...terms])),
    words: new Set(all.flatMap(({ words }) => [...words])),
    numbers: new Set(all.flatMap(({ numbers }) => [...numbers])),
  }
}

const digitsIn = (text: string): string[] => [...text.matchAll(numberPattern)].map(([number]) => number)
const bare = (number: string): string =>
  withAsciiDigits(number)
    .replace(/\D/g, '')
    .replace(/^0+(?=.)/, '')

function coverage(terms: ReadonlySet<string>, known: ReadonlySet<string>): number {
  let shared = 0
  for (const term of terms) if (known.has(term)) shared += 1
  return shared / terms.size
}

/** Returns the words with a capital letter in lower case, except the first word. */
function namesIn(sentence: string): string[] {
  return [...sentence.matchAll(wordPattern)].slice(1).flatMap(([word]) => (/^\p{Lu}/u.test(word) ? [word.toLowerCase()] : []))
}

const isNegative = (sentence: string): boolean =>
  [...sentence.matchAll(wordPattern)].some(([word]) => negations.has(word.toLowerCase().replaceAll('’', "'")))
