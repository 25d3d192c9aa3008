/** Entries of one term that lie one behind the other in longer lists. */
export interface PostingStretch {
  /** Chunks by number, ascending between `from` and `to`. */
  readonly chunks: Int32Array
  /** How often the term is in each. */
  readonly frequencies: Uint16Array
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** Where a term stands. */
export interface Postings {
  /** The chunks of each have higher numbers than those of the one before. Some may be gone, which no search looks at. */
  readonly stretches: readonly PostingStretch[]
  /** Live chunks that have the term. */
  readonly count: number
}

export const nowhere: Postings = { stretches: [], count: 0 }
