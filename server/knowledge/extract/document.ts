/** The page of the text from an offset on, up to the next mark. */
export interface PageMark {
  readonly start: number
  /** From 1. */
  readonly page: number
}

/** A part of a document's text with a role of its own. Offsets are UTF-16 code units into `ExtractedDocument.text`. */
export interface Block {
  readonly kind: 'heading' | 'paragraph' | 'list' | 'table' | 'code'
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** Depth of a heading, 1 to 6; present for headings only. */
  readonly level?: number
  /** The title in the document's outline, where it differs from the text of the heading. */
  readonly title?: string
  /** Page that the block starts on, from 1; absent if the format has no pages. */
  readonly page?: number
  /** Where the following pages begin, in order; absent if the block stands on one page. */
  readonly pages?: readonly PageMark[]
  /** Second of the recording at which the block begins, from 0; present in transcripts only. */
  readonly startSecond?: number
}

/**
 * The result of extraction for any kind of document.
 * `text` contains the text of every block in reading order, separated by blank lines. Citations point into it, so it is stored
 * and served unchanged. Tables are Markdown: header row, delimiter row, one line for each further row.
 */
export interface ExtractedDocument {
  /** The detected type, for example `application/pdf`. */
  readonly mediaType: string
  readonly title: string | null
  /** ISO 639-1 code; null if there is too little text. */
  readonly language: string | null
  /** Number of pages; null if the format has none. */
  readonly pages: number | null
  readonly text: string
  /** In order, without overlap. `text` between blocks is white space. */
  readonly blocks: readonly Block[]
  /** Sentences for users about content that was left out or could not be read. */
  readonly warnings: readonly string[]
}
