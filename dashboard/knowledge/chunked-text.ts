import type { SourceChunk } from './records.ts'

/** A part of a document: a chunk, split into repeated and new text, or text outside of all chunks. */
export interface Passage {
  start: number
  /** Null where the text is in no chunk. */
  chunk: SourceChunk | null
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
    if (gap.trim() !== '') passages.push({ start: from, chunk: null, repeated: '', text: gap.trim() })
  }
  for (const chunk of chunks) {
    if (chunk.start > end) between(end, chunk.start)
    const own = Math.min(Math.max(chunk.start, end), chunk.end)
    passages.push({ start: chunk.start, chunk, repeated: text.slice(chunk.start, own), text: text.slice(own, chunk.end) })
    end = Math.max(end, chunk.end)
  }
  if (complete) between(end, text.length)
  return passages
}
