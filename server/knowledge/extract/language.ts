import { eld } from 'eld/medium'
import type { Block } from './document.ts'

const sampleLength = 4_000
const lettersThatTell = 24

/**
 * ISO 639-1 code of the running text, by n-grams (eld) over a sample from the whole length. The declared tag stands where
 * the text is too short or unclear: declarations are often a template's, not the text's.
 */
export function detectLanguage(texts: readonly string[], blocks: readonly Block[], declared: string | null): string | null {
  const tag = /^([a-z]{2})\b/i.exec(declared ?? '')?.[1]?.toLowerCase() ?? null
  const prose = texts.filter((_, at) => blocks[at]?.kind !== 'code' && blocks[at]?.kind !== 'table')
  const sample = sampleOf(prose.length > 0 ? prose : texts)
  if ((sample.match(/\p{L}/gu)?.length ?? 0) < lettersThatTell) return tag
  const found = eld.detect(sample)
  return found.isReliable() && found.language ? found.language : tag
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
