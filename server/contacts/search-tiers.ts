import type { ContactMatch } from '@groundwork/api'
import { storedEmail } from './emails.ts'
import { isNational, readPhone, writtenDigits } from './phones.ts'

/** The forms of a search, as the SQL function `contact_query` returns them. */
export interface QueryForms {
  readonly words: readonly QueryWord[]
  /** Parts of hyphenated words without the hyphens. */
  readonly joined: readonly string[]
  readonly wholes: readonly string[]
  readonly latinWholes: readonly string[]
  readonly likeWholes: readonly string[]
}

export interface QueryWord {
  readonly word: string
  /** Latin spellings of a word in another script. */
  readonly latin: readonly string[]
  /** Terms of typing errors and of similar sound. */
  readonly likeness: readonly string[]
}

/** A condition, and its part about the rarest words, which the index is used for: null if very many contacts have each word. */
export interface Condition {
  readonly condition: string
  readonly indexed: string | null
}

export interface Tier extends Condition {
  readonly match: Exclude<ContactMatch, 'similar' | 'filter'>
}

/** A search as conditions on the terms of contacts, in the syntax of PostgreSQL's tsquery. */
export interface SearchTiers {
  /**
   * Matches of every word, best first: the whole name, address or number; all words; words in other scripts; the first letters of
   * words; those in other scripts; parts of words.
   */
  readonly tiers: readonly Tier[]
  /** A condition for the index that matches of each tier meet, and some other contacts; null as in `Condition`. */
  readonly anyIndexed: string | null
  /** All words, in any script. */
  readonly whole: Condition
  /** Words that may have typing errors or another spelling, and whole names that sound alike. */
  readonly near: Condition
  /** The same, and words that only sound alike. */
  readonly alike: Condition
}

/**
 * Returns undefined for a search without letters and digits.
 * @param estimates number of contacts with each word, about
 * @param country of national phone numbers; null if unknown
 */
export function tiersOf(query: string, forms: QueryForms, estimates: readonly number[], country: string | null): SearchTiers | undefined {
  const { words, wholes, latinWholes, likeWholes } = forms
  if (words.length === 0) return undefined
  const numbers = numberTiers(query, country)
  // The parts of a number are found together.
  const digits = numbers.whole.length > 0 ? () => [] : digitsOf
  const rare = rareWords(words, estimates)
  const withWords = (condition: (some: readonly QueryWord[]) => string): Condition => ({
    condition: condition(words),
    indexed: rare.length === 0 ? null : condition(rare),
  })
  const indexedWhole = (condition: string): Condition => ({ condition, indexed: condition })
  const exact = [...wholes, `=${storedEmail(query.trim())}`].map(term)
  const inLatin = [...latinWholes, ...latinWholes.map((whole) => `=${whole.slice(1)}`), ...wholes.map((whole) => `%${whole.slice(1)}`)]
  const allInLatin = (some: readonly QueryWord[]): string =>
    anyOf([every(some, spellings), ...inLatin.map(term), ...joinedSpellings({ ...forms, words: some })])
  const inAnyWay = ({ word, latin }: QueryWord): string[] => [
    ...digits(word),
    ...[word, ...latin].flatMap((each) => [prefix(each), prefix(`~${each}`)]),
    prefix(`<${word}`),
  ]
  const similar = (some: readonly QueryWord[], likeness: (word: QueryWord) => readonly string[]): string =>
    anyOf([
      every(some, (each) => [...digits(each.word), prefix(each.word), ...spellings(each), ...likeness(each).map(term)]),
      ...likeWholes.map(term),
    ])
  return {
    tiers: [
      { match: 'whole', ...indexedWhole(anyOf([...numbers.whole, ...exact])) },
      ...numbers.parts.map((condition): Tier => ({ match: 'number', ...indexedWhole(condition) })),
      { match: 'words', ...withWords((some) => every(some, ({ word }) => [term(word)])) },
      { match: 'other_script', ...withWords(allInLatin) },
      { match: 'prefix', ...withWords((some) => every(some, ({ word }) => [prefix(word), ...digits(word)])) },
      {
        match: 'prefix',
        ...withWords((some) =>
          every(some, ({ word, latin }) => [...digits(word), ...[word, ...latin].flatMap((each) => [prefix(each), prefix(`~${each}`)])]),
        ),
      },
      { match: 'part', ...withWords((some) => every(some, ({ word }) => [...digits(word), prefix(word), prefix(`<${word}`)])) },
    ],
    anyIndexed: withWords((some) => anyOf([...numbers.whole, ...numbers.parts, ...exact, allInLatin(some), every(some, inAnyWay)])).indexed,
    whole: withWords((some) => anyOf([...exact, allInLatin(some)])),
    near: withWords((some) => similar(some, ({ likeness }) => likeness.filter((likeTerm) => !soundsLike(likeTerm)))),
    alike: withWords((some) => similar(some, ({ likeness }) => likeness)),
  }
}

/** The index reads all contacts with a word. If there are more, the newest contacts are read first. */
const maxIndexed = 50_000
/** The index compares several words in less time than the contacts with one of them are read. */
const alwaysIndexed = 20_000

/** Returns the words that the index is used for. Very many contacts have a word that begins or ends with one or two letters. */
function rareWords(words: readonly QueryWord[], estimates: readonly number[]): QueryWord[] {
  const known = words.map((word, at) => ({ word, contacts: estimates[at] ?? 0 }))
  const long = known.filter(({ word: { word } }) => !/^[\p{Script=Latin}\d]{1,2}$/u.test(word))
  const usable = long.length > 0 ? long : known
  const fewest = Math.min(...usable.map(({ contacts }) => contacts))
  if (fewest > maxIndexed) return []
  return usable.filter(({ contacts }) => contacts <= Math.max(alwaysIndexed, 2 * fewest)).map(({ word }) => word)
}

/** Returns whether a term of `contact_likeness_terms` is of words that sound alike; the others are of typing errors. */
const soundsLike = (likeTerm: string): boolean => likeTerm.startsWith('^')

const spellings = ({ word, latin }: QueryWord): string[] => [word, ...latin].flatMap((each) => [term(each), term(`~${each}`)])

/** "Min-su" is written as one word in other scripts. */
function joinedSpellings({ words, joined }: Pick<QueryForms, 'words' | 'joined'>): string[] {
  if (joined.length === 0) return []
  const rest = words.filter(({ word }) => !joined.some((whole) => whole.includes(word)))
  return [every([...rest, ...joined.map((word) => ({ word, latin: [], likeness: [] }))], spellings)]
}

/** Fewer digits are only compared with words: they are in nearly every number. */
const minNumberDigits = 3
const digitsOf = (word: string): string[] => (word.length >= minNumberDigits && /^\d+$/.test(word) ? [prefix(`#${word}`)] : [])

/** Digits at the end of a number that identify it, whatever precedes them. */
const significantDigits = 8

/** Returns conditions for a search that can be a number: as contacts have it, with a trunk prefix, or a part. */
function numberTiers(query: string, country: string | null): { whole: string[]; parts: string[] } {
  const digits = writtenForms(query)
  const text = query.normalize('NFKC')
  const number = digits.length === 0 ? undefined : readPhone(text, country)
  const forms = [...new Set([...(number === undefined ? [] : [number.value.slice(1)]), ...digits])]
  const [first, ...others] = forms.map((form) => prefix(`#${form}`))
  const [longest = ''] = digits
  const isInternational = number !== undefined && !isNational(text)
  if (!isInternational && longest.length > significantDigits) others.push(term(`#${longest.slice(-significantDigits)}`))
  return {
    whole: forms.map((form) => term(`=#${form}`)),
    parts: [...(first === undefined ? [] : [first]), ...(others.length === 0 ? [] : [anyOf(others)])],
  }
}

/** Returns conditions for contacts whose number ends with the digits of a national number, which can be of another country. */
export const endingTerms = (phone: string): string[] =>
  writtenForms(phone)
    .filter((form) => form.length >= significantDigits)
    .map((form) => term(`#${form}`))

/** Returns the digits as they are written, and without what precedes a number inside its country. */
function writtenForms(query: string): string[] {
  const all = writtenDigits(query) ?? ''
  const forms = [all, ...trunkPrefixes.flatMap((trunk) => (trunk.test(all) ? [all.replace(trunk, '')] : []))]
  return [...new Set(forms)].filter((form) => form.length >= minNumberDigits)
}

/** What precedes a number that is written for callers of its country or of another one. The stored number has none of it. */
const trunkPrefixes = [/^0+/, /^(?:00|011|0011|010|810)/, /^8(?=\d{10}$)/, /^06(?=\d{8,9}$)/, /^01(?=\d{10}$)/]

const every = <T>(words: readonly T[], alternatives: (word: T) => string[]): string =>
  words.map((word) => anyOf(alternatives(word))).join(' & ')

const anyOf = (conditions: readonly string[]): string => `(${[...new Set(conditions)].join(' | ')})`

export const term = (text: string): string => `'${text.slice(0, 500).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
const prefix = (text: string): string => `${term(text)}:*`
