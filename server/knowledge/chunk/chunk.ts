/** Settings of a chunking strategy. Sizes are tokens as `countTokens` counts them. */
export interface ChunkingSettings {
  readonly strategy: 'semantic' | 'sentence' | 'fixed' | 'markdown'
  /** Maximum length of a chunk, 64 to 2048. */
  readonly size: number
  /** Maximum tokens of the previous chunk that a chunk repeats, see `chunkDocument`; less than half of `size`. */
  readonly overlap: number
}

/** A retrievable passage of a document. */
export interface Chunk {
  /** Position in the document, from 0. */
  readonly ordinal: number
  /** `document.text.slice(start, end)`, preceded by the header rows of a table that continues from the previous chunk. */
  readonly text: string
  /** Span in the document's text, UTF-16 code units, end exclusive. */
  readonly start: number
  readonly end: number
  /** Titles of the headings above the whole passage, outermost first, including the heading that it begins with. */
  readonly headingPath: readonly string[]
  /** First and last page of the passage, from 1; null if the format has no pages. */
  readonly page: number | null
  readonly pageEnd: number | null
  /** Second of the recording at which the passage begins; null without a recording. */
  readonly startSecond: number | null
  readonly tokens: number
}
