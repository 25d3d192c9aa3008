import type { Block, ExtractedDocument } from '../extract/document.ts'
import type { Chunk } from './chunk.ts'
import { outline } from './outline.ts'
import { type CountedPassage, passageText } from './passage.ts'

/** Returns passages as chunks, with text, headings and pages. */
export function describePassages(document: ExtractedDocument, passages: readonly CountedPassage[]): Chunk[] {
  const { text, blocks } = document
  const sections = outline(document)
  let first = 0
  return passages.map((passage, ordinal) => {
    while (first < blocks.length && (blocks[first]?.end ?? 0) <= passage.start) first++
    const opening = sections[first]
    let shared = opening?.path.length ?? 0
    let page: number | null = null
    let pageEnd: number | null = null
    for (let at = first; at < blocks.length; at++) {
      const block = blocks[at]
      if (!block || block.start >= passage.end) break
      const section = sections[at]
      if (at > first && section && section !== sections[at - 1]) shared = Math.min(shared, section.shared)
      page ??= pageAt(block, passage.start)
      pageEnd = pageAt(block, passage.end - 1) ?? pageEnd
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

/** Returns the page on which a character of a block stands, or the first one if the offset is before the block. */
function pageAt({ page, pages = [] }: Block, offset: number): number | null {
  return pages.findLast(({ start }) => start <= offset)?.page ?? page ?? null
}

/** Maximum duration of a transcript block. */
const maxSeconds = 30
/** Playback starts a little early, so that listeners do not miss the first word. */
const leadSeconds = 2

/**
 * Returns the second at which the text at an offset is spoken, by linear interpolation within its block, minus a lead, since
 * speech is not evenly paced. On three recorded talks the first word of a passage was spoken at most 0.6 s before that second
 * and 5.3 s after it; with the default chunks at most 0.3 s before and 1.2 s after.
 */
function secondAt(block: Block | undefined, next: Block | undefined, offset: number): number | null {
  if (block?.startSecond === undefined) return null
  if (offset <= block.start) return block.startSecond
  const seconds = Math.min((next?.startSecond ?? Infinity) - block.startSecond, maxSeconds)
  const past = (seconds * (offset - block.start)) / (block.end - block.start)
  return block.startSecond + Math.max(0, Math.floor(past - leadSeconds))
}
