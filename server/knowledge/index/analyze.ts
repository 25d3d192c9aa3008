import { withAsciiDigits } from '../../lib/ascii-digits.ts'
import { normalizeWord } from './normalize-word.ts'
import { likelyLanguages } from './query-language.ts'
import { questionWords } from './question-words.ts'
import { simplified } from './simplified-chinese.ts'
import { scriptOf, stemming } from './stemmers.ts'
import { stopWords } from './stop-words.ts'
import { bigramsOf, charactersOf, longWordsOf, runParts, unspaced } from './unspaced.ts'
import { composed, decomposedTerm } from './vowel-am.ts'

/** The former analysis of languages without a stemmer. */
const undetermined = 'und'
/** The revision of the analysis of languages whose analysis has changed since documents were first indexed in it. */
const revisions: ReadonlyMap<string, number> = new Map([
  ['ar', 2],
  ['el', 2],
  ['hi', 2],
  ['it', 2],
  ['lo', 2],
  ['th', 2],
  ['tr', 3],
  ['vi', 2],
  ['zh', 2],
])
/** Analyses with the rules from before vowel marks, digits and words of all scripts were handled. */
const former = new Set([undetermined, 'ar', 'hi', 'tr'])

/**
 * Returns the name of the analysis of a text. `language` is an ISO 639-1 code, or null if unknown.
 *
 * Postings are stored under this name, and a query is analyzed by each name that its knowledge bases contain. A changed analysis
 * therefore needs a new name: documents under the former name stay searchable by its rules until they are indexed again.
 */
export function analysisLanguage(language: string | null | undefined): string {
  if (language == null) return 'en'
  const revision = revisions.get(language)
  return revision === undefined ? language : `${language}.${revision}`
}

/** Returns the language of an analysis; `und` for the former analysis of all languages without a stemmer. */
export const languageOf = (analysis: string): string => analysis.replace(/\.\d$/, '')

const isFormer = (analysis: string): boolean => former.has(analysis)
const isCurrent = (analysis: string): boolean => analysis === analysisLanguage(languageOf(analysis))

/** Returns whether an analysis writes traditional Chinese characters as simplified ones. */
const isSimplifying = (analysis: string): boolean => analysis === 'zh.2'
/** Returns whether an analysis keeps the vowel sign am of Thai and Lao as one character. */
const isComposing = (analysis: string): boolean => analysis === 'th.2' || analysis === 'lo.2'

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
  const isVietnamese = languageOf(language) === 'vi'
  const terms: string[] = []
  for (const word of words(isFormer(language) ? text : prepared(text, language))) {
    if (unspacedStart.test(word)) {
      const run = isSimplifying(language) ? simplified(word) : isComposing(language) ? composed(word) : word
      terms.push(...charactersOf(run), ...bigramsOf(run), ...(isFormer(language) ? [] : longWordsOf(run)))
    } else {
      const term = termOf(word)
      if (term === undefined) continue
      terms.push(term)
      // A query without marks finds words with marks; a query with marks tells words apart.
      const bare = isVietnamese ? withoutMarks(term) : term
      if (bare !== term) terms.push(bare)
    }
  }
  return terms
}

const withoutMarks = (word: string): string => fold(word).replaceAll('đ', 'd')

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

/** Returns the term of a word in a language; undefined for a stop word. */
export const termOfWord = (word: string, language: string): string | undefined => cachedAnalyzer(language)(word)

/** A query word as a term of one language. Terms of one word share a `group`: BM25 counts them as one term. */
export interface QueryTerm {
  readonly group: number
  /** In lower case. */
  readonly word: string
  readonly term: string
  readonly language: string
  /** Weight relative to other words; default 1. Terms of one group have the same. */
  readonly weight?: number
  /** Matches any of these terms instead. */
  readonly anyOf?: readonly { readonly term: string; readonly language: string }[]
}

/** Words of a query that are looked up. A longer text is a document rather than a question. */
const maxQueryWords = 128

/**
 * Returns the terms of a query in each language; stop words and question words have no term in their language. Those of the language of
 * the query have no term in other languages either: they are rare there, so BM25 would give them much weight.
 */
export function analyzeQuery(text: string, languages: readonly string[]): QueryTerm[] {
  const plain = words(withAsciiDigits(text))
  const likely = likelyLanguages(text, [...new Set(languages.map(languageOf))])
  const analyzers = languages.map((language) => {
    const own = isFormer(language) ? words(text) : words(prepared(text, language))
    return {
      language,
      isLikely: likely.includes(languageOf(language)),
      script: stemming.get(languageOf(language))?.script,
      omitted: questionWords.get(languageOf(language)),
      termOf: cachedAnalyzer(language),
      plainTermOf: cachedAnalyzer(isFormer(language) ? undetermined : plainWords),
      own: own.length === plain.length ? own : plain,
    }
  })
  const simplifies = languages.some(isSimplifying)
  const terms: QueryTerm[] = []
  let group = 0
  for (const [at, word] of plain.entries()) {
    if (group >= maxQueryWords) break
    if (unspacedStart.test(word)) {
      const run = composed(word)
      const [letters, simplifiedLetters] = [[...run], [...(simplifies ? simplified(run) : run)]]
      for (const { from, to, weight } of runParts(simplifiedLetters.join(''))) {
        const part = letters.slice(from, to).join('')
        const simplifiedPart = simplifiedLetters.slice(from, to).join('')
        for (const language of languages)
          terms.push({ group, word: part, term: termOfPart(part, simplifiedPart, language), language, weight })
        group++
      }
      continue
    }
    const script = scriptOf(word)
    const ofWord: QueryTerm[] = []
    let isSearched = false
    for (const { language, isLikely, script: scriptOfLanguage, omitted, termOf, plainTermOf, own } of analyzers) {
      if (omitted?.has(word)) continue
      const term = (scriptOfLanguage === undefined || scriptOfLanguage === script ? termOf : plainTermOf)(own[at] ?? word)
      if (term === undefined) continue
      ofWord.push({ group, word, term, language })
      isSearched ||= isLikely
    }
    if (isSearched) terms.push(...ofWord)
    group++
  }
  return terms
}

function termOfPart(part: string, simplifiedPart: string, language: string): string {
  if (isSimplifying(language)) return simplifiedPart
  return isComposing(language) ? part : decomposedTerm(part)
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

/** Returns a text with ASCII digits, and in lower case where the language has rules of its own. */
const prepared = (text: string, analysis: string): string =>
  withAsciiDigits(languageOf(analysis) === 'tr' ? text.toLocaleLowerCase('tr') : text)

function words(text: string): readonly string[] {
  const folded = text.replaceAll(zeroWidth, '').normalize('NFKC').toLowerCase()
  return folded.match(unspacedAnywhere.test(folded) ? wordPattern : spacedWordPattern) ?? []
}

/** The analysis of words in a script that the language does not use. */
const plainWords = 'plain'

/** Returns a function from a word to its term; undefined for a stop word. */
function wordAnalyzer(analysis: string): (word: string) => string | undefined {
  const language = languageOf(analysis)
  const own = stemming.get(language)
  const stop = stopWords.get(language)
  const withoutApostrophe = apostropheRule(analysis)
  const normalize = isFormer(analysis) ? (word: string) => word : normalizeWord
  const stemOf = isCurrent(analysis) ? own?.stem : (own?.former ?? own?.stem)
  return (word) => {
    let bare = normalize(word)
    if (/['’]/.test(bare)) bare = withoutApostrophe(bare)
    if (stop?.has(bare)) return undefined
    if (language === 'vi') return (isCurrent(analysis) ? withToneLast(bare) : bare).slice(0, maxTermLength) || undefined
    const stemmed = stemOf !== undefined && own?.script === scriptOf(bare) && bare.length <= maxTermLength ? stemOf(bare) : bare
    const folded = fold(stemmed || bare)
    return (language === 'tr' && !isFormer(analysis) ? folded.replaceAll('ı', 'i') : folded).slice(0, maxTermLength) || undefined
  }
}

const vietnameseTones = /[\u0300\u0301\u0303\u0309\u0323]/g

/** Returns a Vietnamese syllable with its tone mark after the last letter: it has one tone, but "hòa" is also written "hoà". */
function withToneLast(syllable: string): string {
  const letters = syllable.normalize('NFD')
  return (letters.replaceAll(vietnameseTones, '') + (letters.match(vietnameseTones) ?? []).join('')).normalize('NFC')
}

/** Italian words that lose their last vowel before another word: "dell'acqua", "dov'è". */
const italianElisions =
  /^(?:[cdlmnstv]|un|all|dell|dall|nell|sull|coll|quell|quest|bell|sant|(?:[ad]|de|da|ne|su)?gl|dov|com|cos|quand|anch|senz|tutt|mezz|ch)['’](?=.)/
/** Suffixes of names and numbers in Turkish: "Türkiye'nin", "1990'da". */
const turkishSuffix = /(?<=^[^'’]{2,})['’].*$/

/** Returns how an analysis removes the apostrophes of a word, with the shortened words before them or the suffixes after them. */
function apostropheRule(analysis: string): (word: string) => string {
  const language = languageOf(analysis)
  const joined = (word: string) => word.replace(/['’]s$/, '').replaceAll(/['’]/g, '')
  if (language === 'tr' && isCurrent(analysis)) return (word) => joined(word.replace(turkishSuffix, ''))
  if (language === 'it' && isCurrent(analysis)) return (word) => joined(word.replace(italianElisions, ''))
  if (language !== 'fr' && language !== 'it') return joined
  return (word) => {
    const apostrophe = word.search(/['’]/)
    return apostrophe <= 2 ? word.slice(apostrophe + 1) : joined(word)
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
