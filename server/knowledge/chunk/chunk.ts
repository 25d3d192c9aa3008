/** How a document is cut. Sizes are tokens as `countTokens` counts them. */
export interface ChunkingSettings {
  readonly strategy: 'semantic' | 'sentence' | 'fixed' | 'markdown'
  /** Upper bound of a chunk, 64 to 2048. */
  readonly size: number
  /** Most tokens of the chunk before that a chunk repeats at its start, in the way `chunkDocument` tells for each strategy; less than half of `size`. */
  readonly overlap: number
}

/** One retrievable passage of a document. */
export interface Chunk {
  /** Position in the document, from 0. */
  readonly ordinal: number
  /** What is shown: `document.text.slice(start, end)`, with the table's header rows before it where a table goes on from the chunk before. */
  readonly text: string
  /** Span in the document's text, UTF-16 code units, end exclusive. */
  readonly start: number
  readonly end: number
  /** Titles of the headings above the whole of the passage, outermost first, with the one it begins with. */
  readonly headingPath: readonly string[]
  /** First and last page of the passage, from 1; null where the format has no pages. */
  readonly page: number | null
  readonly pageEnd: number | null
  /** Second of the recording at which the passage begins; null for what was not spoken. */
  readonly startSecond: number | null
  readonly tokens: number
}
