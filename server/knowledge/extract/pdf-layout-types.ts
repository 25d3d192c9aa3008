/** A line of text of a page. Coordinates are points from the upper left corner. */
export interface LayoutLine {
  readonly text: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly fontSize: number
  readonly bold: boolean
  readonly italic: boolean
  readonly monospace: boolean
  readonly fontName: string
}

/**
 * A block of a page in reading order, without running headers and footers. A heading is not decided yet: it is a `paragraph`
 * block with its lines.
 */
export interface LayoutBlock {
  readonly kind: 'paragraph' | 'list' | 'table' | 'code'
  readonly page: number
  readonly lines: readonly LayoutLine[]
  /** Markdown for tables, text with indentation for code, otherwise lines joined. */
  readonly text: string
}

export interface PageLayout {
  readonly page: number
  readonly width: number
  readonly height: number
  readonly blocks: readonly LayoutBlock[]
}
