import { directionControls } from '../lib/direction-controls.ts'

/** A line of text as the layout takes it. */
export interface LayoutLine {
  /** The line may break between these, in addition to the usual places. */
  readonly pieces: readonly string[]
  readonly rtl: boolean
  readonly lang: string
  /** Whether marks keep the default position of the font; see `keepsMarks`. */
  readonly keepsMarks: boolean
  /** Font families in order of preference. */
  readonly fonts: readonly string[]
}

const invisible = new RegExp(
  // Control characters except tab and line feed.
  String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff\ufff9-\ufffb${directionControls}]`,
  'gu',
)

/** Returns the text without invisible control characters, with \n as the only line break. */
export function cleanText(text: string): string {
  const wellFormed = Buffer.from(text).toString()
  return wellFormed
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(invisible, '')
}

const strong = /[\p{L}\u200e\u200f\u061c]/u
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u200f\u061c]/u

/** Returns the direction of the first letter (UAX #9, rule P2), or null without letters. */
export function directionOf(text: string): 'ltr' | 'rtl' | null {
  const first = strong.exec(text)?.[0]
  if (first === undefined) return null
  return rightToLeft.test(first) ? 'rtl' : 'ltr'
}

/** Languages by script: the first one is assumed if the document is in none of them. */
const languagesByScript: readonly { letters: RegExp; languages: readonly string[] }[] = [
  { letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, languages: ['ja'] },
  { letters: /\p{Script=Hangul}/gu, languages: ['ko'] },
  { letters: /\p{Script=Han}/gu, languages: ['zh', 'ja', 'ko'] },
  { letters: /\p{Script=Arabic}/gu, languages: ['ar', 'fa', 'ur', 'ps', 'ckb', 'sd', 'ug'] },
  { letters: /\p{Script=Hebrew}/gu, languages: ['he', 'yi'] },
  { letters: /\p{Script=Thai}/gu, languages: ['th'] },
  { letters: /\p{Script=Devanagari}/gu, languages: ['hi', 'mr', 'ne'] },
]

/** Returns the language of a text if its script tells, otherwise the language of the document. */
export function languageOf(text: string, documentLanguage: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  // Japanese and Korean text contains Han characters too.
  const found = languagesByScript.find(({ letters: pattern }, at) => {
    const count = text.match(pattern)?.length ?? 0
    return at < 2 ? count * 5 > letters : count * 2 > letters
  })
  if (found === undefined || found.languages.includes(documentLanguage)) return documentLanguage
  return found.languages[0] ?? documentLanguage
}

/**
 * Returns whether the marks of a line stay where the font draws them, which is right for Thai. Typst sets each mark that is moved
 * vertically as a run with the text of its base letter, so both would be extracted twice.
 */
export function keepsMarks(line: string): boolean {
  return /\p{Script=Thai}/u.test(line) && !/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}]/u.test(line)
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
/** Typst lays out each piece on its own, which takes time. */
const pieceLength = 5

/** Returns the pieces of a line: words of more than `maxWord` characters may break every few characters. */
export function breakablePieces(line: string, maxWord: number): string[] {
  const pieces: string[] = []
  let end = 0
  for (const { 0: word, index } of line.matchAll(/\S+/gu)) {
    if (word.length <= maxWord) continue
    if (index > end) pieces.push(line.slice(end, index))
    const characters = Array.from(graphemes.segment(word), ({ segment }) => segment)
    for (let at = 0; at < characters.length; at += pieceLength) pieces.push(characters.slice(at, at + pieceLength).join(''))
    end = index + word.length
  }
  if (end < line.length) pieces.push(line.slice(end))
  return pieces
}
