/** Formatted text as data. No field is markup: all text appears as it is. */

/** Text in one style. A line feed is a line break. */
export interface Run {
  readonly text: string
  readonly strong?: boolean
  readonly emphasis?: boolean
  readonly struck?: boolean
  readonly code?: boolean
  /** An http, https or mailto URL. */
  readonly href?: string
}

export type Block =
  | { readonly type: 'paragraph'; readonly runs: readonly Run[] }
  | { readonly type: 'heading'; readonly level: number; readonly runs: readonly Run[] }
  /** `start` is the first number; null for bullets. */
  | { readonly type: 'list'; readonly start: number | null; readonly items: readonly (readonly Block[])[] }
  | { readonly type: 'quote'; readonly blocks: readonly Block[] }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'rule' }
  | { readonly type: 'table'; readonly header: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] }

export type Cell = readonly Run[]

/** Returns the text of blocks without its structure, with a line feed after each part. */
export const textOf = (blocks: readonly Block[]): string => blocks.map(blockText).join('\n')

const ofRuns = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')

function blockText(block: Block): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return ofRuns(block.runs)
    case 'list':
      return block.items.map(textOf).join('\n')
    case 'quote':
      return textOf(block.blocks)
    case 'code':
      return block.text
    case 'rule':
      return ''
    default:
      return [block.header, ...block.rows].map((row) => row.map(ofRuns).join(' ')).join('\n')
  }
}
