import MarkdownIt from 'markdown-it'
import { withoutDirectionControls } from './direction-controls.ts'
import { AppError } from './errors.ts'
import { nested, type Node, type Token } from './markdown-tree.ts'
import type { Block, Cell, Run } from './rich-text.ts'

/**
 * CommonMark with tables, strikethrough and bare links. All text stays visible: HTML, images and definitions of links are shown as
 * text.
 */
const parser = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable(['image', 'reference'])
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
parser.validateLink = (url) => url.length <= maxLinkLength && /^(?:https?|mailto):/i.test(url)

const maxLinkLength = 2000
/** Maximum nesting of lists and quotes. The parser drops text that is nested about five times deeper. */
const maxDepth = 10
/** A table with more columns would be illegible on paper and on phones, so its rows become paragraphs. */
const maxColumns = 8

/** @throws AppError `validation_error` with the field of a text that nests lists and quotes too deep */
export function requireMarkdown(markdown: string, field: string): void {
  if (isNestedTooDeep(markdown))
    throw new AppError('validation_error', `Lists and quotes can be nested at most ${maxDepth} levels deep.`, { field })
}

function isNestedTooDeep(markdown: string): boolean {
  let depth = 0
  return parser.parse(markdown, {}).some(({ type, nesting }) => {
    if (isContainer(type)) depth += nesting
    return depth > maxDepth
  })
}

const isContainer = (type: string): boolean => /^(?:bullet_list|ordered_list|blockquote)_/.test(type)

/** Converts Markdown to blocks. Characters that embed, override or isolate directions are left out. */
export function parseMarkdown(markdown: string): Block[] {
  return nested(parser.parse(withoutDirectionControls(markdown), {})).flatMap(blocksOf)
}

function blocksOf({ token, children }: Node): Block[] {
  switch (token.type) {
    case 'heading_open':
      return [{ type: 'heading', level: Number(token.tag.slice(1)), runs: runsIn(children) }]
    case 'bullet_list_open':
      return [{ type: 'list', start: null, items: itemsOf(children) }]
    case 'ordered_list_open':
      return [{ type: 'list', start: Number(token.attrGet('start') ?? 1), items: itemsOf(children) }]
    case 'blockquote_open':
      return [{ type: 'quote', blocks: children.flatMap(blocksOf) }]
    case 'fence':
    case 'code_block':
      return [{ type: 'code', text: token.content.replace(/\n$/, '') }]
    case 'hr':
      return [{ type: 'rule' }]
    case 'table_open':
      return tableOf(children)
    default: {
      const runs = runsIn(children)
      return runs.length === 0 ? [] : [{ type: 'paragraph', runs }]
    }
  }
}

const itemsOf = (items: readonly Node[]): Block[][] => items.map(({ children }) => children.flatMap(blocksOf))

function tableOf(parts: readonly Node[]): Block[] {
  const [header = [], ...rows] = parts
    .flatMap(({ children }) => children)
    .map(({ children }) => children.map((cell) => runsIn(cell.children)))
  if (header.length <= maxColumns) return [{ type: 'table', header, rows }]
  return [header, ...rows].map((row) => ({ type: 'paragraph', runs: joined(row) }))
}

const joined = (row: readonly Cell[]): Run[] => row.flatMap((cell, index) => (index === 0 ? cell : [{ text: ' | ' }, ...cell]))

const runsIn = (children: readonly Node[]): Run[] => children.flatMap(({ token }) => runsOf(token.children ?? []))

type Style = Omit<Run, 'text'>

function runsOf(tokens: readonly Token[]): Run[] {
  const runs: Run[] = []
  const styles: Style[] = [{}]
  for (const token of tokens) {
    const style = styles.at(-1) ?? {}
    const text = textOf(token)
    if (token.nesting > 0) styles.push({ ...style, ...styleOf(token) })
    else if (token.nesting < 0) styles.pop()
    else if (text !== '') runs.push({ text, ...style, ...(token.type === 'code_inline' && { code: true }) })
  }
  return runs
}

const textOf = ({ type, content }: Token): string => (type === 'softbreak' || type === 'hardbreak' ? '\n' : content)

function styleOf(token: Token): Style {
  const href = token.attrGet('href')
  if (token.type === 'strong_open') return { strong: true }
  if (token.type === 'em_open') return { emphasis: true }
  if (token.type === 's_open') return { struck: true }
  return href === null ? {} : { href }
}
