import type { ChunkingSettings } from './chunk.ts'
import { fitting, type CountedPassage } from './passage.ts'
import { trimmed } from './sentences.ts'
import type { TokenIndex } from './tokens.ts'

/** Returns passages of `size` tokens, shortened to whole words. Each begins with the last `overlap` tokens of the previous one. */
export function fixedPassages(text: string, tokens: TokenIndex, { size, overlap }: ChunkingSettings): CountedPassage[] {
  const passages: CountedPassage[] = []
  let covered = 0
  for (;;) {
    const rest = trimmed(text, covered, text.length)
    if (!rest) return passages
    const before = passages.at(-1)
    const again = before && overlap > 0 ? trimmed(text, tokens.tail(before.start + 1, before.end, overlap), text.length) : null
    let passage = fitting(text, tokens, { ...(again ?? rest), header: null }, size)
    // An overlap that consists of one long word would make no progress.
    if (passage.end <= covered) passage = fitting(text, tokens, { ...rest, header: null }, size)
    passages.push(passage)
    covered = passage.end
  }
}
