import type { Unit } from './units.ts'

/** Tokens of English per letter. */
const tokensPerLetter = 0.25
/** Lower densities count 1: German and Spanish have about 1.2, and longer chunks improve no ranking there. */
const minDensity = 1.3
/** English letters that take as much room as one letter of these scripts: XQuAD's paragraphs in Chinese and English, rounded. */
const ideograph = 3
const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
/** Characters from which the density is estimated. */
const sampleLength = 50_000
const maxDensity = 3

/**
 * Returns how many tokens a text takes, relative to an English text of the same content, 1 to 3. Arabic takes more than twice as
 * many, Thai three times, so chunks of equally many tokens would say much less. With this density, nDCG@10 of BM25 on XQuAD rises
 * from .920 to .933 in Arabic and from .963 to .966 in Chinese.
 */
export function tokenDensity(text: string, language: string | null, units: readonly Unit[]): number {
  if (language === null || language === 'en') return 1
  const end = units.findLast(({ end: last }) => last <= sampleLength) ?? units[0]
  if (end === undefined) return 1
  const sample = text.slice(0, end.end)
  const letters = (sample.match(/[\p{L}\p{N}\p{M}]/gu)?.length ?? 0) + (ideograph - 1) * (sample.match(ideographs)?.length ?? 0)
  const tokens = end.to - (units[0]?.from ?? 0)
  const density = tokens / Math.max(letters * tokensPerLetter, 1)
  return density < minDensity ? 1 : Math.min(density, maxDensity)
}
