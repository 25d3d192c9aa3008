import type { SourceChunk } from './records.ts'

/** A part of a document: a chunk, split into repeated and new text, or text outside of all chunks. */
export interface Passage {
  start: number
  end: number
  /** Null where the text is in no chunk. */
  chunk: SourceChunk | null
  /** The header of a table that continues in this chunk, with a line break; empty otherwise. */
  header: string
  repeated: string
  text: string
}

/**
 * Splits the text of a document into its chunks and the text between them, in document order. Drops white space between chunks.
 * @param chunks the chunks loaded so far, in document order
 * @param complete whether these are all chunks; then text after the last one is outside of all chunks
 */
export function passagesOf(text: string, chunks: readonly SourceChunk[], complete: boolean): Passage[] {
  const passages: Passage[] = []
  let end = 0
  const between = (from: number, to: number): void => {
    const gap = text.slice(from, to)
    if (gap.trim() !== '') passages.push({ start: from, end: to, chunk: null, header: '', repeated: '', text: gap.trim() })
  }
  for (const chunk of chunks) {
    if (chunk.start > end) between(end, chunk.start)
    const own = Math.min(Math.max(chunk.start, end), chunk.end)
    const header = chunk.text.slice(0, -(chunk.end - chunk.start))
    passages.push({
      start: chunk.start,
      end: chunk.end,
      chunk,
      header,
      repeated: text.slice(chunk.start, own),
      text: text.slice(own, chunk.end),
    })
    end = Math.max(end, chunk.end)
  }
  if (complete) between(end, text.length)
  return passages
}

/**
 * Returns the index of the passage in which the text at an offset is new; -1 if it is not among the passages loaded so far.
 * @param complete whether these are all passages
 */
export function passageAt(passages: readonly Passage[], offset: number, complete: boolean): number {
  const index = passages.findIndex(({ end }) => end > offset)
  return index === -1 && complete ? passages.length - 1 : index
}
