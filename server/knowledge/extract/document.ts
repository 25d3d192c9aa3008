/** A stretch of a document's text that has a role of its own. Offsets are UTF-16 code units into `ExtractedDocument.text`. */
export interface Block {
  readonly kind: 'heading' | 'paragraph' | 'list' | 'table' | 'code'
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** Depth of a heading, 1 to 6; present on headings only. */
  readonly level?: number
  /** Page that the block starts on, from 1; absent where a format has no pages. */
  readonly page?: number
  /** Whole second of the recording that the block begins at, from 0; present in transcripts only. */
  readonly startSecond?: number
}

/**
 * What extraction makes of the bytes of one document, whatever its kind.
 * `text` is every block's text in reading order, joined by a blank line: citations point into it, so it is stored and
 * served as it is. A table stands in it as Markdown: header row, delimiter row, one line for each further row.
 */
export interface ExtractedDocument {
  /** The type found by content, for example `application/pdf`. */
  readonly mediaType: string
  readonly title: string | null
  /** ISO 639-1 code, or null where too little text tells. */
  readonly language: string | null
  /** Number of pages, or null where the format has none. */
  readonly pages: number | null
  readonly text: string
  /** In order, not overlapping; everything in `text` between them is white space. */
  readonly blocks: readonly Block[]
  /** Sentences for a person: what was left out or could not be read. */
  readonly warnings: readonly string[]
}
