import type { ImportEncoding } from '@groundwork/api'
import { analyse } from 'chardet'
import { decodeBytes } from './decode-bytes.ts'

/** Returns how likely a text is in each language (ISO 639-1), from 0 to 1. */
export type LanguageScores = (text: string) => Readonly<Record<string, number>>

/**
 * Guesses the encoding of text that is neither valid UTF-8 nor UTF-16: UTF-8 if few of its characters are invalid; otherwise by the words of scripts without Latin letters, then by East Asian
 * characters, then by the language in which the text makes most sense, or by the letters of languages. The statistics of chardet mean
 * little for a few names, so they only decide between encodings that fit.
 * @param text lines with bytes above 7F
 * @param scoresOf of languages, if the text has sentences; names have too few n-grams
 */
export const guessEncoding = (text: Buffer, scoresOf?: LanguageScores): ImportEncoding =>
  mostlyUtf8(text) ? 'utf-8' : (scriptOf(text) ?? eastAsianOf(text) ?? latinOf(text, scoresOf))

/** Returns whether at most half of the characters beyond ASCII are invalid, as in a text that was cut within characters. */
function mostlyUtf8(text: Buffer): boolean {
  const decoded = decodeBytes(text, 'utf-8')
  const invalid = decoded.match(/\uFFFD/g)?.length ?? 0
  return invalid * 2 <= lengthBeyondAscii(decoded)
}

/** chardet's names of encodings, where they differ. Those of ISO have the same letters. */
const chardetNames: Partial<Record<ImportEncoding, readonly string[]>> = {
  'windows-1253': ['windows-1253', 'ISO-8859-7'],
  'iso-8859-5': ['ISO-8859-5'],
  'iso-8859-6': ['ISO-8859-6'],
  'koi8-r': ['KOI8-R'],
  'koi8-u': ['KOI8-R'],
  shift_jis: ['Shift_JIS'],
  'euc-jp': ['EUC-JP'],
  gb18030: ['GB18030'],
  big5: ['Big5'],
  'euc-kr': ['EUC-KR'],
}

/** Returns the first of the encodings in which chardet has the most confidence. */
function likeliest(encodings: readonly ImportEncoding[], text: Buffer): ImportEncoding | undefined {
  if (encodings.length < 2) return encodings[0]
  const found = analyse(text)
  const confidence = (encoding: ImportEncoding): number =>
    Math.max(0, ...found.filter(({ name }) => (chardetNames[encoding] ?? [encoding]).includes(name)).map((match) => match.confidence))
  return encodings.toSorted((a, b) => confidence(b) - confidence(a))[0]
}

/**
 * Returns the words with letters beyond ASCII, or with the symbols and control characters that such letters become in another encoding.
 * Single letters are initials.
 */
const wordsOf = (text: string): string[] =>
  text
    .replace(/[$+<=>^`|~]/g, ' ')
    .match(/[\p{L}\p{M}\p{S}\p{No}\u0080-\u009f¶]{2,}/gu)
    ?.filter((word) => lengthBeyondAscii(word) > 0) ?? []
const lengthBeyondAscii = (text: string): number => text.replace(/[\u0000-\u007f]/g, '').length // oxlint-disable-line no-control-regex

const cyrillic = /^(?:[\u0400-\u042f\u0490]?[\u0430-\u045f\u0491]+|[\u0400-\u042f\u0490]+)$/
/** Lower-case words of several syllables have an accent. */
const greek = /^(?:[Ά-Ϋ]?(?:[ά-ία-ώ]{1,3}|(?=.*[ά-ίό-ώ])[ά-ία-ώ]+)|[ΆΈ-ΏΌ][α-ω]+|[Ά-Ϋ]+)$/
/** With vowel signs, which several scripts have. */
const arabic = /^[\p{Script=Arabic}\u0640\u064b-\u0652]+$/u
/** Words in the case in which people write: another encoding of the script yields wrong cases. */
const scripts: readonly (readonly [ImportEncoding, RegExp])[] = [
  ['windows-1251', cyrillic],
  ['koi8-r', cyrillic],
  ['koi8-u', cyrillic],
  ['iso-8859-5', cyrillic],
  ['windows-1253', greek],
  ['windows-1256', arabic],
  ['iso-8859-6', arabic],
]
/** In Hebrew, five letters have another form at the end of a word. Lower-case Cyrillic has the same bytes, in any order. */
const hebrew = /^[\u05d0-\u05d9\u05db\u05dc\u05de\u05e0-\u05e2\u05e4\u05e6-\u05ea]+[\u05d0-\u05ea]$/
/** Syllables of Thai: a vowel precedes the consonant or follows it, and tone marks follow both. Other bytes have no such order. */
const thai = /[\u0e40-\u0e44]?[ก-ฮ][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]{0,2}[ะาำๅ]?|[ฯๆ๐-๙]/gu
const thaiVowels = /[ะาำๅ\u0e31\u0e34-\u0e3a\u0e40-\u0e44\u0e47-\u0e4e]/gu
const thaiWord = /[\u0e00-\u0e7f]+/gu
/** Shares of the characters. */
const [minThai, minThaiVowels] = [0.95, 0.25]
/** Two letters of other encodings, such as šč, can be a syllable of Thai. */
const minThaiWord = 3
const minScriptShare = 0.75

function scriptOf(text: Buffer): ImportEncoding | undefined {
  const shareOf = (encoding: ImportEncoding, pattern: RegExp): number => {
    const words = wordsOf(decodeBytes(text, encoding))
    return words.filter((word) => pattern.test(word)).length / Math.max(1, words.length)
  }
  if (shareOf('windows-1255', hebrew) >= minScriptShare) return 'windows-1255'
  if (isThai(decodeBytes(text, 'windows-874'))) return 'windows-874'
  const rated = scripts.map(([encoding, pattern]) => ({ encoding, share: shareOf(encoding, pattern) }))
  const fitting = rated.filter(({ share }) => share >= minScriptShare).toSorted((a, b) => b.share - a.share)
  return likeliest(
    fitting.map(({ encoding }) => encoding),
    text,
  )
}

function isThai(text: string): boolean {
  const all = lengthBeyondAscii(text)
  const words = text.match(thaiWord) ?? []
  const lengthOf = (pattern: RegExp): number => text.match(pattern)?.join('').length ?? 0
  return all >= minThaiWord * Math.max(1, words.length) && lengthOf(thai) >= minThai * all && lengthOf(thaiVowels) >= minThaiVowels * all
}

/** The bytes of usual characters, as Latin-1. */
const eastAsian: readonly (readonly [ImportEncoding, RegExp])[] = [
  ['shift_jis', /^[\x81-\x98][\x40-\x7e\x80-\xfc]$/],
  ['euc-kr', /^[\xa1-\xa3\xb0-\xc8][\xa1-\xfe]$/],
  ['gb18030', /^[\xa1-\xa3\xb0-\xd7][\xa1-\xfe]$/],
  ['big5', /^[\xa1-\xc6][\x40-\x7e\xa1-\xfe]$/],
  ['euc-jp', /^[\xa1-\xa5\xb0-\xcf][\xa1-\xfe]$/],
]
const minUsualShare = 0.8

/** chardet says little about less than ten characters: then the first that fits is the answer. */
function eastAsianOf(text: Buffer): ImportEncoding | undefined {
  const bytes = text.toString('latin1')
  return likeliest(
    eastAsian.filter(([, pair]) => shareOfUsual(bytes, pair) >= minUsualShare).map(([encoding]) => encoding),
    text,
  )
}

/** Returns the share of these characters in the words with them. Letters beside them are those of a Western word: Ängel in Big5, and so is the one of °C. */
function shareOfUsual(bytes: string, pair: RegExp): number {
  const words = bytes.match(/[A-Za-z]*(?:[\x81-\xfe][\x40-\x7e\x80-\xfe])+[A-Za-z]*|[\x80-\xff]/g) ?? []
  const all = words.join('').length
  const usual = words
    .filter((word) => word.length > 1 && !/^[A-Za-z]|[^\x80-\xff][A-Za-z]+$|^.[A-Za-z]$/.test(word))
    .flatMap((word) => word.match(/../g) ?? [])
  return all === 0 ? 0 : (2 * usual.filter((each) => pair.test(each)).length) / all
}

/**
 * Letters of Western European languages, which files mix. Letters that have the byte of a consonant of Central Europe count only where
 * these languages have them: è is č in Windows-1250, and Molière has a consonant after it, but Kuèera a vowel.
 */
const western = new RegExp(
  [
    '[äëöüßáéíóúâêîôûàåÿºª]',
    'ç(?=[aouáâãäõóôú]|$)',
    'ã(?=[oe]|s?$)',
    'õ(?=e)',
    'ñ(?=[aeiouáéíóú])',
    'œ(?=[eiu])',
    '(?<![aeiouáéíóú])æ(?![aeiouáéíóú])',
    '(?<![aeouáéíóú])è(?![aeiouáéíóú])',
    '(?<![aeiouáéíóú])ò(?![aeiouáéíóú])',
    '(?<![aeiouáéíóú])ø(?![aiouáéíóúý])',
    '[ìù]$',
    'ï(?=[aeou])|(?<=[aeou])ï',
  ].join('|'),
  'giu',
)
const polish = /[ąćęłńóśźż]/giu
const czech = /[áčďéěíňóřšťúůýž]/giu
const slovak = /[áäčďéíĺľňóôŕšťúýž]/giu
const croatian = /[čćđšž]/giu
const hungarian = /[áéíóöőúüű]/giu
const romanian = /[ăâîşţ]/giu
/** Letters by the languages (ISO 639-1) that have them. */
const centralEuropean: readonly (readonly [RegExp, readonly string[]])[] = [
  [polish, ['pl']],
  [czech, ['cs']],
  [slovak, ['sk']],
  [croatian, ['hr', 'sl']],
  [hungarian, ['hu']],
  [romanian, ['ro']],
]
const westernLanguages = ['ca', 'da', 'de', 'en', 'es', 'eu', 'fi', 'fr', 'it', 'nl', 'no', 'pt', 'sq', 'sv']

interface Written {
  readonly encoding: ImportEncoding
  readonly letters: RegExp
  readonly languages: readonly string[]
}
const written = (encoding: ImportEncoding, letters: RegExp, languages: readonly string[]): Written => ({ encoding, letters, languages })

/** The first with the largest rating counts. Icelandic is after Turkish: five of its letters have the bytes of Turkish ones. */
const latin: readonly Written[] = [
  written('windows-1252', western, westernLanguages),
  written('windows-1254', /[çğıİöşüâîû]/giu, ['tr']),
  ...centralEuropean.map(([letters, languages]) => written('windows-1250', letters, languages)),
  ...centralEuropean.map(([letters, languages]) => written('iso-8859-2', letters, languages)),
  written('windows-1257', /[ąčęėįšųūž]/giu, ['lt']),
  written('windows-1257', /[āčēģīķļņšūž]/giu, ['lv']),
  written('windows-1257', /[äõöüšž]/giu, ['et']),
  written('windows-1252', /[áðéíóúýþæö]/giu, ['is']),
]
/** Macintosh has letters for nearly all bytes, so only sentences tell. */
const latinOfSentences: readonly Written[] = [...latin, written('macintosh', western, westernLanguages)]
/** Macintosh counts for less, because such files are rare. */
const macintoshWeight = 0.8

/** Capitals and signs within words, and mathematical signs beside letters. */
const odd = /(?<=\p{Ll})\p{Lu}|(?<=\p{L})[¨¯∂∆∏∑√∞∫≈≠≤≥]|[∂∆∏∑√∞∫≈≠≤≥](?=\p{L})|(?<=\p{L})[^\p{L}\p{M}\s\u0000-\u007f’·](?=\p{L})/gu // oxlint-disable-line no-control-regex
/** Bytes from which the language is guessed. */
const sampleBytes = 4_000

/** Punctuation that most encodings for Windows have. */
const usualSigns = /[‘’“”„–—…•€£«»°§©®ªº±×½]/gu

/** Rates by the share of letters that the languages have; with `scoresOf`, by the likeliest language first. */
function latinOf(text: Buffer, scoresOf?: LanguageScores): ImportEncoding {
  const rated = (scoresOf === undefined ? latin : latinOfSentences).map(({ encoding, letters, languages }) => {
    const decoded = decodeBytes(text, encoding)
    const known = wordsOf(decoded).flatMap((word) => word.match(letters) ?? []).length + (decoded.match(usualSigns)?.length ?? 0)
    const share = known / Math.max(lengthBeyondAscii(decoded), 1)
    const weight = encoding === 'macintosh' ? macintoshWeight : 1
    return { encoding, rating: scoresOf === undefined ? share : weight * likelihood(decoded, languages, scoresOf) * (1 + share) }
  })
  return rated.toSorted((a, b) => b.rating - a.rating)[0]?.encoding ?? 'windows-1252'
}

function likelihood(text: string, languages: readonly string[], scoresOf: LanguageScores): number {
  const sample = text.slice(0, sampleBytes)
  const scores = scoresOf(sample)
  const oddities = sample.match(odd)?.length ?? 0
  const share = 1 - oddities / Math.max(1, lengthBeyondAscii(sample))
  // Of a word or two, no language is likely: then the letters decide.
  return 0.01 + share * Math.max(...languages.map((language) => scores[language] ?? 0))
}
