import type { Block, ExtractedDocument } from '../extract/document.ts'
import type { Chunk } from './chunk.ts'
import { outline } from './outline.ts'
import { type CountedPassage, passageText } from './passage.ts'

/** Passages as chunks: with their text, their headings and their pages. */
export function describePassages(document: ExtractedDocument, passages: readonly CountedPassage[]): Chunk[] {
  const { text, blocks } = document
  const sections = outline(document)
  let first = 0
  return passages.map((passage, ordinal) => {
    while (first < blocks.length && (blocks[first]?.end ?? 0) <= passage.start) first++
    const opening = sections[first]
    let shared = opening?.path.length ?? 0
    let page = blocks[first]?.page ?? null
    let pageEnd = page
    for (let at = first; at < blocks.length; at++) {
      const block = blocks[at]
      if (!block || block.start >= passage.end) break
      const section = sections[at]
      if (at > first && section && section !== sections[at - 1]) shared = Math.min(shared, section.shared)
      page ??= block.page ?? null
      pageEnd = block.page ?? pageEnd
    }
    const { start, end, tokens } = passage
    return {
      ordinal,
      text: passageText(text, passage),
      start,
      end,
      headingPath: opening?.path.slice(0, shared) ?? [],
      page,
      pageEnd,
      startSecond: secondAt(blocks[first], blocks[first + 1], start),
      tokens,
    }
  })
}

/** Longest that a block of a transcript is taken to last. */
const longestSeconds = 30
/** Who listens would rather wait for the first word than miss it. */
const leadSeconds = 2

/**
 * The second at which the text at an offset is spoken; inside a block, as far on to the next one as its text is, and a
 * little earlier, since nobody speaks at an even pace. On three recorded talks the first word of a passage was said
 * at most 0.6 s before that second and 5.3 s after it, of the default chunks at most 0.3 s before and 1.2 s after.
 */
function secondAt(block: Block | undefined, next: Block | undefined, offset: number): number | null {
  if (block?.startSecond === undefined) return null
  if (offset <= block.start) return block.startSecond
  const seconds = Math.min((next?.startSecond ?? Infinity) - block.startSecond, longestSeconds)
  const past = (seconds * (offset - block.start)) / (block.end - block.start)
  return block.startSecond + Math.max(0, Math.floor(past - leadSeconds))
}
