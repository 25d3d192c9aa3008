import { eld } from 'eld/medium'
import type { Block } from './document.ts'

const sampleLength = 4_000
const lettersThatTell = 24

/**
 * Returns the ISO 639-1 code of the running text, by n-grams (eld) over a sample of its whole length. Falls back to the
 * declared tag if the text is too short or unclear: declarations often belong to a template.
 */
export function detectLanguage(texts: readonly string[], blocks: readonly Block[], declared: string | null): string | null {
  const tag = /^([a-z]{2})\b/i.exec(declared ?? '')?.[1]?.toLowerCase() ?? null
  const prose = texts.filter((_, at) => blocks[at]?.kind !== 'code' && blocks[at]?.kind !== 'table')
  const sample = sampleOf(prose.length > 0 ? prose : texts)
  const letters = count(sample, /\p{L}/gu)
  const script = eastAsian(sample, letters)
  if (script) return script
  if (letters < lettersThatTell) return tag
  const found = eld.detect(sample)
  if (!found.isReliable() || !found.language) return tag
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

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function sampleOf(texts: readonly string[]): string {
  const parts: string[] = []
  let length = 0
  const step = Math.max(1, Math.floor(texts.length / 40))
  for (let at = 0; at < texts.length && length < sampleLength; at += step) {
    const part = (texts[at] ?? '').slice(0, 1_000)
    parts.push(part)
    length += part.length
  }
  return parts.join('\n').slice(0, sampleLength)
}
