import type { SourceChunk } from './records.ts'

/** A part of a document's text: a chunk, with what it repeats of the one before, or what is in none. */
export interface Passage {
  start: number
  /** Null where the text is in no chunk. */
  chunk: SourceChunk | null
  repeated: string
  text: string
}

/**
 * The text of a document cut as it is found, in its order and nothing left out but white space.
 * @param chunks in their order; the first ones may be all that is known
 * @param complete whether these are all, so that what is behind them is in none
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
