/** Consecutive entries of one term in longer lists. */
export interface PostingRange {
  /** Chunk numbers, ascending between `from` and `to`. */
  readonly chunks: Int32Array
  /** Term frequency in each chunk. */
  readonly frequencies: Uint16Array
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** The chunks that contain a term. */
export interface Postings {
  /** Chunk numbers ascend from range to range. Some chunks may be deleted; no search reads those. */
  readonly ranges: readonly PostingRange[]
  /** Document frequency: the number of live chunks that contain the term. */
  readonly count: number
}

/** The chunks of postings, and the term frequency in each. */
export type PostingEntries = Pick<PostingRange, 'chunks' | 'frequencies'>

/** Returns arrays for so many postings. */
export type EntryAllocator = (count: number) => PostingEntries

export const newEntries: EntryAllocator = (count) => ({ chunks: new Int32Array(count), frequencies: new Uint16Array(count) })

export const noPostings: Postings = { ranges: [], count: 0 }
