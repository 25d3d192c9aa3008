import { scriptOf, stemming } from './stemmers.ts'
import { stopWords } from './stop-words.ts'

/** Analysed without stemming and stop words: a language that we have neither for. */
const undetermined = 'und'

/** The language that a text known to be in `language` (ISO 639-1, null: not known) is analysed as. */
export function analysisLanguage(language: string | null | undefined): string {
  if (language == null) return 'en'
  return stemming.has(language) ? language : undetermined
}

/** Scripts that write no spaces between words, and Korean, whose particles cling to them: read by pairs of characters. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Khmer}\\p{Script=Lao}\\p{Script=Myanmar}ー'
/** A run of unspaced script, or a word: letters, marks and digits, with a part after an apostrophe. */
const wordPattern = new RegExp(`[${unspaced}][${unspaced}\\p{M}]*|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+(?:['’]\\p{L}+)*`, 'gu')
const unspacedAnywhere = new RegExp(`[${unspaced}]`, 'u')
/** The same for a text without such scripts, in half the time. */
const spacedWordPattern = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*/gu
const unspacedStart = new RegExp(`^[${unspaced}]`, 'u')
/** Longer words are no words (base64, hashes of whole files): cut, so that an index key never exceeds a page. */
const longestTerm = 64

/**
 * Text to index terms in order, repeated as often as they occur: words in lower case without diacritics, stemmed for the
 * language, its stop words left out; numbers and codes part by part as they stand.
 * @param language as `analysisLanguage` gives it
 */
export function analyze(text: string, language: string): string[] {
  const termOf = remembered(language)
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

const rememberedWords = 50_000
const rememberedAnalyzers = new Map<string, (word: string) => string | undefined>()

/** The language's analyzer, which remembers what it made of words: they come again, in whatever text. */
function remembered(language: string): (word: string) => string | undefined {
  const before = rememberedAnalyzers.get(language)
  if (before !== undefined) return before
  const termOf = wordAnalyzer(language)
  const known = new Map<string, string | undefined>()
  const analyzer = (word: string): string | undefined => {
    const term = known.get(word)
    if (term !== undefined || known.has(word)) return term
    if (known.size >= rememberedWords) known.clear()
    const made = termOf(word)
    known.set(word, made)
    return made
  }
  rememberedAnalyzers.set(language, analyzer)
  return analyzer
}

/** One word of a query as one language's index knows it. `group` tells which word: its variants are one term to BM25. */
export interface QueryTerm {
  readonly group: number
  /** The word itself, in lower case. */
  readonly word: string
  readonly term: string
  readonly language: string
  /** Where it stands for any of these terms instead. */
  readonly anyOf?: readonly { readonly term: string; readonly language: string }[]
}

/** As many words of a query as are looked up; what goes beyond is no question but a document. */
const longestQuery = 128

/** A query as the index of each of `languages` knows it; a word that a language leaves out has no term there. */
export function analyzeQuery(text: string, languages: readonly string[]): QueryTerm[] {
  const analyzers = languages.map((language) => ({ language, script: stemming.get(language)?.script, termOf: remembered(language) }))
  const plainTermOf = remembered(undetermined)
  const terms: QueryTerm[] = []
  let group = 0
  for (const word of words(text)) {
    if (group >= longestQuery) break
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

/** Endings that stemmers take away, of the languages that have them; what a word may go on with. */
const endings = `e ed ing ings ion ions tion tions ation ations on ons n ng ly ment ments ness er ers or ors y ies al able ity ive ance ence
  en ern est ung ungen heit keit lich isch ción ciones ar ado ados mente amente ement eur eurs zione zioni ção ções heid`.split(/\s+/)

/**
 * What words that begin so are in the index: terms with the `prefix`, and `shorter` ones, whose stem ends before it does
 * ("reservat" is the beginning of "reservation", which is found as "reserv").
 */
export function termsBeginningWith(
  word: string,
  languages: readonly string[],
): { prefix: string; shorter: { term: string; language: string }[] } {
  const prefix = fold(word).slice(0, longestTerm)
  const shorter = languages.flatMap((language) => {
    const termOf = wordAnalyzer(language)
    const terms = new Set(endings.flatMap((ending) => termOf(word + ending) ?? []).filter((term) => !term.startsWith(prefix)))
    return Array.from(terms, (term) => ({ term, language }))
  })
  return { prefix, shorter }
}

function words(text: string): readonly string[] {
  const folded = text.normalize('NFKC').toLowerCase()
  return folded.match(unspacedAnywhere.test(folded) ? wordPattern : spacedWordPattern) ?? []
}

/** A word to its term in a language; undefined for a stop word. */
function wordAnalyzer(language: string): (word: string) => string | undefined {
  const own = stemming.get(language)
  const stop = stopWords.get(language)
  const elides = language === 'fr' || language === 'it'
  return (word) => {
    let bare = word
    const apostrophe = word.search(/['’]/)
    if (apostrophe >= 0) bare = elides && apostrophe <= 2 ? word.slice(apostrophe + 1) : word.replace(/['’]s$/, '').replaceAll(/['’]/g, '')
    if (stop?.has(bare)) return undefined
    const stemmed = own !== undefined && own.script === scriptOf(bare) && bare.length <= longestTerm ? own.stem(bare) : bare
    return fold(stemmed || bare).slice(0, longestTerm) || undefined
  }
}

/** Without the diacritics of European scripts; vowel signs of Indic scripts carry meaning and stay. */
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
