import { scriptOf, stemming } from './stemmers.ts'
import { stopWords } from './stop-words.ts'

/** A language without a stemmer and a list of stop words. */
const undetermined = 'und'

/** Returns the language to analyze a text in. `language` is an ISO 639-1 code, or null if unknown. */
export function analysisLanguage(language: string | null | undefined): string {
  if (language == null) return 'en'
  return stemming.has(language) ? language : undetermined
}

/** Returns the ISO 639-1 code of an analysis language; `und` for all languages without a stemmer. */
export const languageOf = (analysis: string): string => analysis

/** Scripts without spaces between words, and Korean, which attaches particles to words: indexed as character bigrams. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Khmer}\\p{Script=Lao}\\p{Script=Myanmar}ー'
/** A run of unspaced script, or a word: letters, marks and digits, with an optional part after an apostrophe. */
const wordPattern = new RegExp(`[${unspaced}][${unspaced}\\p{M}]*|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+(?:['’]\\p{L}+)*`, 'gu')
const unspacedAnywhere = new RegExp(`[${unspaced}]`, 'u')
/** The same for texts without such scripts, in half the time. */
const spacedWordPattern = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*/gu
const unspacedStart = new RegExp(`^[${unspaced}]`, 'u')
/** Longer tokens, such as base64, are truncated, so that an index key never exceeds a database page. */
const maxTermLength = 64

/**
 * Returns the index terms of a text, in order, with repetitions: lower-case words without diacritics, stemmed for the
 * language, without its stop words. Numbers and codes are split into their parts and not stemmed.
 * @param language a result of `analysisLanguage`
 */
export function analyze(text: string, language: string): string[] {
  const termOf = cachedAnalyzer(language)
  const terms: string[] = []
  for (const word of words(text)) {
    if (unspacedStart.test(word)) terms.push(...characters(word), ...pairs(word))
    else {
      const term = termOf(word)
      if (term !== undefined) terms.push(term)
    }
  }
  return terms
}

const maxCachedWords = 50_000
const cachedAnalyzers = new Map<string, (word: string) => string | undefined>()

/** Returns the analyzer of a language, with a cache of the terms of words. */
function cachedAnalyzer(language: string): (word: string) => string | undefined {
  const before = cachedAnalyzers.get(language)
  if (before !== undefined) return before
  const termOf = wordAnalyzer(language)
  const known = new Map<string, string | undefined>()
  const analyzer = (word: string): string | undefined => {
    const term = known.get(word)
    if (term !== undefined || known.has(word)) return term
    if (known.size >= maxCachedWords) known.clear()
    const made = termOf(word)
    known.set(word, made)
    return made
  }
  cachedAnalyzers.set(language, analyzer)
  return analyzer
}

/** A query word as a term of one language. Terms of one word share a `group`: BM25 counts them as one term. */
export interface QueryTerm {
  readonly group: number
  /** In lower case. */
  readonly word: string
  readonly term: string
  readonly language: string
  /** Matches any of these terms instead. */
  readonly anyOf?: readonly { readonly term: string; readonly language: string }[]
}

/** Words of a query that are looked up. A longer text is a document rather than a question. */
const maxQueryWords = 128

/** Returns the terms of a query in each language; a stop word has no term in its language. */
export function analyzeQuery(text: string, languages: readonly string[]): QueryTerm[] {
  const analyzers = languages.map((language) => ({ language, script: stemming.get(language)?.script, termOf: cachedAnalyzer(language) }))
  const plainTermOf = cachedAnalyzer(undetermined)
  const terms: QueryTerm[] = []
  let group = 0
  for (const word of words(text)) {
    if (group >= maxQueryWords) break
    if (unspacedStart.test(word)) {
      const parts = [...word].length === 1 ? [word] : pairs(word)
      for (const term of parts) {
        for (const language of languages) terms.push({ group, word: term, term, language })
        group++
      }
      continue
    }
    const script = scriptOf(word)
    for (const { language, script: own, termOf } of analyzers) {
      const term = (own === script ? termOf : plainTermOf)(word)
      if (term !== undefined) terms.push({ group, word, term, language })
    }
    group++
  }
  return terms
}

/** Suffixes that stemmers remove: possible continuations of an unfinished word. */
const endings = `e ed ing ings ion ions tion tions ation ations on ons n ng ly ment ments ness er ers or ors y ies al able ity ive ance ence
  en ern est ung ungen heit keit lich isch ción ciones ar ado ados mente amente ement eur eurs zione zioni ção ções heid`.split(/\s+/)

/**
 * Returns the index terms that words with a prefix can have: terms that begin with `prefix`, and the listed `shorter` terms,
 * whose stem is shorter than the prefix ("reservat" begins "reservation", whose term is "reserv").
 */
export function termsBeginningWith(
  word: string,
  languages: readonly string[],
): { prefix: string; shorter: { term: string; language: string }[] } {
  const prefix = fold(word).slice(0, maxTermLength)
  const shorter = languages.flatMap((language) => {
    const termOf = wordAnalyzer(language)
    const terms = new Set(endings.flatMap((ending) => termOf(word + ending) ?? []).filter((term) => !term.startsWith(prefix)))
    return Array.from(terms, (term) => ({ term, language }))
  })
  return { prefix, shorter }
}

/** Characters without width divide words for display only, see Default_Ignorable_Code_Point in Unicode. */
const zeroWidth = /[\u034F\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]+/g

function words(text: string): readonly string[] {
  const folded = text.replaceAll(zeroWidth, '').normalize('NFKC').toLowerCase()
  return folded.match(unspacedAnywhere.test(folded) ? wordPattern : spacedWordPattern) ?? []
}

/** Returns a function from a word to its term; undefined for a stop word. */
function wordAnalyzer(language: string): (word: string) => string | undefined {
  const own = stemming.get(language)
  const stop = stopWords.get(language)
  const elides = language === 'fr' || language === 'it'
  return (word) => {
    let bare = word
    const apostrophe = word.search(/['’]/)
    if (apostrophe >= 0) bare = elides && apostrophe <= 2 ? word.slice(apostrophe + 1) : word.replace(/['’]s$/, '').replaceAll(/['’]/g, '')
    if (stop?.has(bare)) return undefined
    const stemmed = own !== undefined && own.script === scriptOf(bare) && bare.length <= maxTermLength ? own.stem(bare) : bare
    return fold(stemmed || bare).slice(0, maxTermLength) || undefined
  }
}

/** Removes diacritics of European scripts. Vowel signs of Indic scripts carry meaning and stay. */
function fold(word: string): string {
  // eslint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(word)
    ? word
    : word
        .normalize('NFD')
        .replaceAll(/[\u0300-\u036f'’]/g, '')
        .normalize('NFC')
}

const characters = (run: string): string[] => [...run]

function pairs(run: string): string[] {
  const letters = [...run]
  return letters.slice(1).map((letter, index) => (letters[index] ?? '') + letter)
}
