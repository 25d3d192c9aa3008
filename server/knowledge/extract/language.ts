import { eld } from 'eld/medium'
import type { Block } from './document.ts'

const sampleLength = 8_000
const maxSampled = 40
/** Passages that are looked at for prose, of this length at most. */
const maxCompared = 400
const passageLength = 1_000
const lettersThatTell = 24
/** Letters in sentences from which they decide. Short texts, such as lists of names, have fewer. */
const lettersOfSentences = 150

/**
 * Returns the ISO 639-1 code of the running text, by n-grams (eld) over a sample of the prose in its whole length. Falls back to
 * the declared tag if the text is too short or unclear: declarations often belong to a template.
 */
export function detectLanguage(texts: readonly string[], blocks: readonly Block[], declared: string | null): string | null {
  const tag = /^([a-z]{2})\b/i.exec(declared ?? '')?.[1]?.toLowerCase() ?? null
  const plain = texts.filter((_, at) => blocks[at]?.kind !== 'code' && blocks[at]?.kind !== 'table')
  const passages = evenly(plain.length > 0 ? plain : texts, maxCompared).flatMap(passagesOf)
  const all = sampleOf(passages)
  const sentences = sampleOf(passages.filter(isProse))
  const sample = lettersOf(sentences) >= lettersOfSentences ? sentences : all
  const letters = lettersOf(sample)
  const script = eastAsian(sample, letters) ?? languageOfScript(sample, letters)
  if (script) return script
  const found = letters < lettersThatTell ? null : eld.detect(sample)
  if (found === null || !found.isReliable() || !found.language) return languageOfLetters(sample, letters) ?? tag
  const scores = found.getScores()
  const declaredIsClose = tag !== null && (scores[tag] ?? 0) > 0.8 * (scores[found.language] ?? 1)
  return declaredIsClose ? tag : found.language
}

/**
 * Detects Chinese, Japanese and Korean by their share of letters: each is a syllable or a word, so a fifth of them outweighs
 * Latin commands and names.
 */
function eastAsian(sample: string, letters: number): string | null {
  const kana = count(sample, /[\u3041-\u30FF]/g)
  const hangul = count(sample, /[\uAC00-\uD7A3]/g)
  const han = count(sample, /\p{Script=Han}/gu)
  if (kana + hangul + han < Math.max(4, letters / 5)) return null
  if (hangul > kana + han / 2) return 'ko'
  return kana > han / 10 ? 'ja' : 'zh'
}

/** Scripts of one language, or nearly. */
const scripts: readonly [letters: RegExp, language: string][] = [
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Lao}/gu, 'lo'],
  [/\p{Script=Khmer}/gu, 'km'],
  [/\p{Script=Myanmar}/gu, 'my'],
  [/\p{Script=Tamil}/gu, 'ta'],
  [/\p{Script=Telugu}/gu, 'te'],
  [/\p{Script=Kannada}/gu, 'kn'],
  [/\p{Script=Malayalam}/gu, 'ml'],
  [/\p{Script=Sinhala}/gu, 'si'],
  [/\p{Script=Gujarati}/gu, 'gu'],
  [/\p{Script=Gurmukhi}/gu, 'pa'],
  [/\p{Script=Georgian}/gu, 'ka'],
  [/\p{Script=Armenian}/gu, 'hy'],
  [/\p{Script=Greek}/gu, 'el'],
]
/** Forms of "to be", genitives and "and", which tell Hindi from Marathi and Nepali. */
const hindi = /(?<![\p{L}\p{M}])(?:है|हैं|का|की|के|में|और|से|था|थे|थी|ने)(?![\p{L}\p{M}])/gu
const marathiOrNepali = /(?<![\p{L}\p{M}])(?:आहे|आहेत|आणि|मध्ये|होते|होता|छ|छन्|मा|को|का लागि|हरू|गर्न)(?![\p{L}\p{M}])/gu

/** Detects languages by their script, if most letters of a sample have it. Short texts in them have too few n-grams to tell. */
function languageOfScript(sample: string, letters: number): string | null {
  const own = scripts.find(([pattern]) => count(sample, pattern) > letters / 2)
  if (own !== undefined) return letters >= 4 ? own[1] : null
  if (count(sample, /\p{Script=Devanagari}/gu) <= letters / 2) return null
  return count(sample, hindi) > 2 * count(sample, marathiOrNepali) ? 'hi' : null
}

/** Letters of Vietnamese, without those that Yoruba and Igbo have too: ẹ, ị, ọ and ụ. */
const vietnamese = /[ơư\u1ea1-\u1eb7\u1ebb-\u1ec9\u1ecf-\u1ee3\u1ee7-\u1ef1\u1ef5-\u1ef9]/giu
/** Letters of Russian that Bulgarian, Serbian and Ukrainian do not have, and letters that Russian does not have. */
const [russian, notRussian] = [/[ыэё]/giu, /(?![а-яё])\p{Script=Cyrillic}/giu]
const [ukrainian, notUkrainian] = [/[їєґ]/giu, /[ыэёъ]/giu]

/** Detects Vietnamese, Russian and Ukrainian by letters of their own, in texts with too few n-grams to tell, such as a question. */
function languageOfLetters(sample: string, letters: number): string | null {
  if (count(sample, vietnamese) > letters / 20) return 'vi'
  if (count(sample, russian) > 0 && count(sample, notRussian) === 0) return 'ru'
  return count(sample, ukrainian) > 0 && count(sample, notUkrainian) === 0 ? 'uk' : null
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

const minSentenceWords = 6
const maxSignShare = 0.06

/**
 * Returns whether a passage consists of sentences. Code that is not marked as such, commands, paths and logs have more signs than
 * prose and names in place of words.
 */
function isProse(passage: string): boolean {
  const eastAsianLetters = count(passage, /[\u3041-\u30FF\uAC00-\uD7A3\p{Script=Han}]/gu)
  const words = count(passage, /(?<![^\s"'“„«(¿¡])\p{L}[\p{L}\p{M}'’-]*(?=[\s.,;:!?…"'”“»)]|$)/gu)
  const signs = count(passage, /[{}<>=\\/$#@_|*&^~+[\]`]|\w\(|;$/gmu)
  return (words >= minSentenceWords || eastAsianLetters >= minSentenceWords * 2) && signs <= maxSignShare * passage.length
}

function lettersOf(text: string): number {
  return count(text, /\p{L}/gu)
}

/** Returns a text as passages: of a long one the first, the middle and the last. */
function passagesOf(text: string): string[] {
  if (text.length <= passageLength) return [text]
  const middle = Math.max(passageLength, (text.length - passageLength) >> 1)
  return [0, middle, Math.max(middle + passageLength, text.length - passageLength)]
    .filter((start) => start < text.length)
    .map((start) => text.slice(start, start + passageLength))
}

function evenly<T>(list: readonly T[], most: number): T[] {
  const step = Math.max(1, list.length / most)
  return Array.from({ length: Math.min(most, list.length) }, (_, at) => list[Math.floor(at * step)]).filter((each) => each !== undefined)
}

function sampleOf(passages: readonly string[]): string {
  const sampled = evenly(passages, maxSampled)
  const length = Math.ceil(sampleLength / Math.max(1, sampled.length))
  return sampled.map((passage) => passage.slice(0, length)).join('\n')
}
