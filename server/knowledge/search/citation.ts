/** Where a passage stands. */
export interface Citation {
  page: number | null
  pageEnd: number | null
  /** Second of the recording at which the passage is spoken; null for what was not spoken. */
  startSecond: number | null
  headingPath: string[]
  /** Span in the document's text, UTF-16 code units, end exclusive. */
  start: number
  end: number
  /** Of the document, or of the page where the source is a site. */
  title: string | null
}
