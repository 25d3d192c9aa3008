import { analyze } from '../index/analyze.ts'
import { wordKindsOf } from './answer-type.ts'

/** A word of a passage, as highlights compare it. */
export interface PassageWord {
  /** Its index terms; a word of a script without spaces has several, a stop word has its lower-case form. */
  readonly keys: readonly string[]
  readonly isStopWord: boolean
  /** The first letters of its term; empty for shorter terms, stop words and scripts without spaces. */
  readonly prefix: string
  /** A sum of `wordKinds`. */
  readonly kinds: number
}

/** Letters that similar terms have in common. */
export const prefixLength = 4

const wordPattern = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu
// eslint-disable-next-line no-control-regex
const isAscii = /^[\x00-\x7f]*$/
/** The same for ASCII, in less than half the time. */
const asciiWordPattern = /[a-z\d]+(?:'[a-z]+)?/gi
const maxCachedWords = 50_000
/** Longer words, such as clauses of a script without spaces, hardly ever occur twice. */
const maxCachedLength = 24
const caches = new Map<string, Map<string, PassageWord>>()

/** Returns the words of a text, in order. @param language a result of `analysisLanguage` */
export function passageWords(text: string, language: string): PassageWord[] {
  let cache = caches.get(language)
  if (cache === undefined) caches.set(language, (cache = new Map()))
  const words: PassageWord[] = []
  for (const spelling of text.match(isAscii.test(text) ? asciiWordPattern : wordPattern) ?? []) {
    let word = cache.get(spelling)
    if (word === undefined) {
      word = wordOf(spelling, language)
      if (spelling.length <= maxCachedLength) {
        if (cache.size >= maxCachedWords) cache.clear()
        cache.set(spelling, word)
      }
    }
    words.push(word)
  }
  return words
}

function wordOf(spelling: string, language: string): PassageWord {
  const terms = analyze(spelling, language)
  const isStopWord = terms.length === 0
  const [term = ''] = terms
  const prefix = terms.length === 1 && term.length >= prefixLength ? term.slice(0, prefixLength) : ''
  return { keys: isStopWord ? [spelling.toLowerCase()] : terms, isStopWord, prefix, kinds: wordKindsOf(spelling) }
}
