import type { ImportEncoding } from '@groundwork/api'
import { analyse } from 'chardet'
import { decodeBytes } from '../lib/decode-bytes.ts'

/**
 * Guesses the encoding of text that is neither UTF-8 nor UTF-16: by the words of scripts without Latin letters, then by East Asian
 * characters, then by the letters of languages. The statistics of chardet mean little for a few names, so they only decide between
 * encodings that fit.
 * @param text lines with bytes above 7F
 */
export const guessEncoding = (text: Buffer): ImportEncoding => scriptOf(text) ?? eastAsianOf(text) ?? latinOf(text)

/** chardet's names of encodings. Those of ISO have the same letters. */
const chardetNames: Partial<Record<ImportEncoding, readonly string[]>> = {
  'windows-1251': ['windows-1251'],
  'windows-1253': ['windows-1253', 'ISO-8859-7'],
  'windows-1256': ['windows-1256'],
  'koi8-r': ['KOI8-R'],
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
    Math.max(0, ...found.filter(({ name }) => chardetNames[encoding]?.includes(name)).map((match) => match.confidence))
  return encodings.toSorted((a, b) => confidence(b) - confidence(a))[0]
}

/**
 * Returns the words with letters beyond ASCII, or with the symbols and control characters that such letters become in another encoding.
 * Single letters are initials.
 */
const wordsOf = (text: string): string[] =>
  text.match(/[\p{L}\p{M}\p{S}\p{No}\u0080-\u009f¶]{2,}/gu)?.filter((word) => lengthBeyondAscii(word) > 0) ?? []
const lengthBeyondAscii = (text: string): number => text.replace(/[\u0000-\u007f]/g, '').length // oxlint-disable-line no-control-regex

const cyrillic = /^(?:[\u0400-\u042f\u0490]?[\u0430-\u045f\u0491]+|[\u0400-\u042f\u0490]+)$/
/** Lower-case words of several syllables have an accent. */
const greek = /^(?:[Ά-Ϋ]?(?:[ά-ία-ώ]{1,3}|(?=.*[ά-ίό-ώ])[ά-ία-ώ]+)|[ΆΈ-ΏΌ][α-ω]+|[Ά-Ϋ]+)$/
/** Words in the case in which people write: another encoding of the script yields wrong cases. */
const scripts: readonly (readonly [ImportEncoding, RegExp])[] = [
  ['windows-1251', cyrillic],
  ['koi8-r', cyrillic],
  ['windows-1253', greek],
  ['windows-1256', /^\p{Script=Arabic}+$/u],
]
/** In Hebrew, five letters have another form at the end of a word. Lower-case Cyrillic has the same bytes, in any order. */
const hebrew = /^[\u05d0-\u05d9\u05db\u05dc\u05de\u05e0-\u05e2\u05e4\u05e6-\u05ea]+[\u05d0-\u05ea]$/
const minScriptShare = 0.75

function scriptOf(text: Buffer): ImportEncoding | undefined {
  const fits = (encoding: ImportEncoding, pattern: RegExp): boolean => {
    const words = wordsOf(decodeBytes(text, encoding))
    return words.length > 0 && words.filter((word) => pattern.test(word)).length / words.length >= minScriptShare
  }
  if (fits('windows-1255', hebrew)) return 'windows-1255'
  return likeliest(
    scripts.filter(([encoding, pattern]) => fits(encoding, pattern)).map(([encoding]) => encoding),
    text,
  )
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

/** Returns the share of these characters in the words with them. Letters beside them are those of a Western word: Ängel in Big5. */
function shareOfUsual(bytes: string, pair: RegExp): number {
  const words = bytes.match(/[A-Za-z]*(?:[\x81-\xfe][\x40-\x7e\x80-\xfe])+[A-Za-z]*|[\x80-\xff]/g) ?? []
  const all = words.join('').length
  const usual = words
    .filter((word) => word.length > 1 && !/^[A-Za-z]|[^\x80-\xff][A-Za-z]+$/.test(word))
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
const centralEuropean = [polish, czech, slovak, croatian, hungarian, romanian]

/** The first encoding with the largest share counts. Icelandic is the last: five of its letters have the bytes of Turkish ones. */
const languages: readonly (readonly [ImportEncoding, RegExp])[] = [
  ['windows-1252', western],
  ['windows-1254', /[çğıİöşüâîû]/giu],
  ...centralEuropean.map((letters): [ImportEncoding, RegExp] => ['windows-1250', letters]),
  ...centralEuropean.map((letters): [ImportEncoding, RegExp] => ['iso-8859-2', letters]),
  ['windows-1257', /[ąčęėįšųūž]/giu],
  ['windows-1257', /[āčēģīķļņšūž]/giu],
  ['windows-1252', /[áðéíóúýþæö]/giu],
]

function latinOf(text: Buffer): ImportEncoding {
  const rated = languages.map(([encoding, letters]) => {
    const words = wordsOf(decodeBytes(text, encoding))
    const known = words.flatMap((word) => word.match(letters) ?? [])
    return { encoding, share: known.length / Math.max(lengthBeyondAscii(words.join('')), 1) }
  })
  return rated.toSorted((a, b) => b.share - a.share)[0]?.encoding ?? 'windows-1252'
}
