/** The position of a passage in its document. */
export interface Citation {
  page: number | null
  pageEnd: number | null
  /** Second of the recording at which the passage begins; null without a recording. */
  startSecond: number | null
  headingPath: string[]
  /** Span in the document's text, UTF-16 code units, end exclusive. */
  start: number
  end: number
  /** Title of the document, or of the page of a crawled site. */
  title: string | null
}
